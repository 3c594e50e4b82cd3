/**
 * The stack of an error's root cause, for the log. The errors around it may have a query's parameters,
 * and with them messages and password hashes, which must not be logged.
 */
export function describeCause(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root instanceof Error ? (root.stack ?? root.message) : String(root);
}
