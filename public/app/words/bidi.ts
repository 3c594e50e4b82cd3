/** Letters of scripts that run from right to left, and signs that turn what follows them. */
const TURNS =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Isolates that all end within the text. */
const CLOSED = /^(?:[^\u2066-\u2069]|[\u2066-\u2068][^\u2066-\u2069]*\u2069)*$/u;

/**
 * What people wrote, in a direction of its own, so that within a sentence it turns nothing else
 * around (UAX 9: first strong isolate). What cannot turn anything stays as it is.
 */
export function apart<Value>(value: Value): Value | string {
  if (typeof value !== "string" || !TURNS.test(value)) return value;
  const text = CLOSED.test(value) ? value : value.replaceAll(/[\u2066-\u2069]/gu, "");
  return `\u2068${text}\u2069`;
}
