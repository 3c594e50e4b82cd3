/**
 * A refusal that an operator reads: one plain sentence that says what is wrong and what to do.
 * The stack says nothing to them, so print `message` alone.
 */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}

/** The `code` of a system or PostgreSQL error (`ENOENT`, `57P03`, …), or "" where there is none. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** The message of any thrown value, on one line. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").trim();
}
