/** Characters of right-to-left scripts, and control characters that change the direction. */
const CHANGES_DIRECTION =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Matches text in which every isolate is closed. */
const BALANCED = /^(?:[^\u2066-\u2069]|[\u2066-\u2068][^\u2066-\u2069]*\u2069)*$/u;

/**
 * Isolates text that people wrote (UAX 9, first strong isolate), so that it cannot change the
 * direction of the sentence around it. Text without such characters is returned as it is.
 */
export function isolateText<Value>(value: Value): Value | string {
  if (typeof value !== "string" || !CHANGES_DIRECTION.test(value)) return value;
  const text = BALANCED.test(value) ? value : value.replaceAll(/[\u2066-\u2069]/gu, "");
  return `\u2068${text}\u2069`;
}
