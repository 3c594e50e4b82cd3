/** The message is one sentence for the operator: what is wrong and what to do. Print no stack. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}

/** Returns the `code` of a system or PostgreSQL error (`ENOENT`, `57P03`, …), or "" if it has none. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").trim();
}
