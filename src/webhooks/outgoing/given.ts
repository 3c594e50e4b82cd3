import type { Egress } from "../../platform/egress/egress.ts";
import { EgressError } from "../../platform/egress/error.ts";
import { isStorable } from "../../platform/json.ts";
import { Refusal } from "../../platform/refusal.ts";
import { WORDS } from "./send.ts";

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
