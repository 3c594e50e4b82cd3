/**
 * An error for the operator: the message is one sentence that says what is wrong and what to do. Print
 * `message` without the stack.
 */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}

/** Returns the `code` of a system or PostgreSQL error (`ENOENT`, `57P03`, …), or "" if it has none. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** Returns the message of any thrown value, on one line. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").trim();
}
