/**
 * The stack of an error's first cause, for the log. What wraps it may hold the parameters of a query,
 * and with them messages and hashes of passwords, which no log is to keep.
 */
export function describeCause(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root instanceof Error ? (root.stack ?? root.message) : String(root);
}
