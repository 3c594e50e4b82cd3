import type { ApiError, LocalCode, Trouble } from "../connection/api.ts";
import { type Key, say, sayIfKnown } from "./say.ts";

/** What the client finds out by itself, without an answer of the service. */
const LOCAL: Record<LocalCode, Key> = {
  offline: "trouble.offline",
  not_answering: "trouble.not-answering",
  broken_off: "trouble.broken-off",
  not_uploaded: "trouble.not-uploaded",
  over_limit: "trouble.over-limit",
};

function isLocal(code: string): code is LocalCode {
  return Object.hasOwn(LOCAL, code);
}

function isTrouble(error: unknown): error is Trouble {
  return typeof error === "object" && error !== null && "code" in error && "detail" in error;
}

/**
 * What went wrong, in the reader's language. The service speaks English: where another is spoken its
 * code says what to say, and its own words stand where nothing is known of that.
 */
export function tell(error: unknown): string {
  if (!isTrouble(error)) return say("trouble.failed");
  const { code, detail } = error;
  if (isLocal(code)) return say(LOCAL[code]);
  return sayIfKnown(`problem.${code}`, { detail }) ?? (detail || say("trouble.failed"));
}

/** What is wrong with a field; undefined where nothing is. */
export function tellField(error: ApiError, name: string): string | undefined {
  const message = error.field(name);
  if (message === undefined) return undefined;
  // Any code but this one says by itself what is wrong.
  const key = error.code === "validation" ? `field.${name}` : `problem.${error.code}`;
  return sayIfKnown(key, { detail: message }) ?? message;
}
