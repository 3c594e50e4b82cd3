import type { Egress } from "../platform/egress/egress.ts";
import { EgressError } from "../platform/egress/error.ts";
import { isStorable } from "../platform/json.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import { MAX_WEBHOOK_NAME_LENGTH } from "../wire/limits.ts";
import { WORDS } from "./send.ts";

/**
 * A name without blanks around it.
 * @throws Refusal `validation`
 */
export function cleanName(given: string): string {
  const name = given.trim();
  const length = [...name].length;
  if (length === 0 || length > MAX_WEBHOOK_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw invalid("/name", `A name is 1 to ${MAX_WEBHOOK_NAME_LENGTH} characters on one line.`);
  }
  return name;
}

/**
 * Says now whether an address could be called; each delivery asks again.
 * @throws Refusal `target_not_allowed` with words for the field
 */
export async function checkTarget(egress: Egress, url: string): Promise<string> {
  try {
    if (!isStorable(url)) throw new EgressError("bad_url", "not an address");
    return (await egress.checkTarget(url.trim())).href;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const message = WORDS[error.reason] ?? "This address cannot be called.";
    throw new Refusal("target_not_allowed", message, { errors: [{ path: "/url", message }] });
  }
}
