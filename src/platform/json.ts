import { Refusal } from "./refusal.ts";

/** Only these escapes can bring a NUL or a lone surrogate in: raw ones are no valid JSON or UTF-8. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i;
const MAX_PATH_LENGTH = 200;

/**
 * Parses JSON from outside.
 * @throws Refusal `bad_request` if it is no JSON, `validation` if any string holds NUL or half a
 * surrogate pair, which PostgreSQL cannot store
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal("bad_request", "The body is not valid JSON.");
  }
  if (SUSPECT.test(text)) refuseUnstorable(value, "");
  return value;
}

/** True for text that PostgreSQL can store and every client can show. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === "string") {
    if (isStorable(value)) return;
    const message = "Text must not contain NUL or half a surrogate pair.";
    // The path is made of the caller's own keys: as much of it as helps to find the place.
    const errors = [{ path: path.slice(0, MAX_PATH_LENGTH), message }];
    throw new Refusal("validation", message, { errors });
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    refuseUnstorable(key, path);
    refuseUnstorable(inner, `${path}/${key}`);
  }
}
