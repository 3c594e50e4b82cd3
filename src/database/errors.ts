/** The driver's error, which drizzle wraps as `cause`. */
type DriverError = { code?: unknown; constraint_name?: unknown; cause?: unknown };

function driverError(error: unknown): DriverError {
  let current = error as DriverError;
  while (current?.cause && typeof current.code !== "string") current = current.cause as DriverError;
  return current ?? {};
}

/** Whether the error is a violation of this unique index or check constraint (23505, 23514). */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  const { code, constraint_name } = driverError(error);
  return (code === "23505" || code === "23514") && constraint_name === constraint;
}

/** Whether PostgreSQL canceled a statement, for example on timeout (57014). */
export function isCanceled(error: unknown): boolean {
  return driverError(error).code === "57014";
}

export function isUniqueViolation(error: unknown): boolean {
  return driverError(error).code === "23505";
}

export function isTooManyConnections(error: unknown): boolean {
  return driverError(error).code === "53300";
}

const DISK_FULL = "53100";
/**
 * Codes of temporary errors of the driver, the system and PostgreSQL. `isUnavailable` also includes
 * connection exceptions (class 08) and insufficient resources (class 53).
 */
const AWAY = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EAI_AGAIN",
  "ENOTFOUND",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "FailedToOpenSocket",
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "TRANSACTION_ROLLED_BACK", // of the patched driver: PostgreSQL responded to the commit with ROLLBACK
  "NO_PRIMARY", // of `createPrimaryConnector`
  "25006", // read_only_sql_transaction: the host has become a standby
  "25P03", // idle_in_transaction_session_timeout
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "55P03", // lock_not_available, also after lock_timeout
  "57014", // query_canceled, by statement_timeout
]);

/** Whether the database was unreachable or overloaded, so that a retry may soon succeed. */
export function isUnavailable(error: unknown): boolean {
  const { code } = driverError(error);
  return typeof code === "string" && (AWAY.has(code) || /^(?:08|53)/.test(code));
}

export function describeUnavailable(error: unknown): string {
  return driverError(error).code === DISK_FULL
    ? "The database's disk is full. Tell an administrator, and try again later."
    : "The database is unavailable. Try again in a moment.";
}
