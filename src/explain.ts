import { DrizzleQueryError } from "drizzle-orm";
import { BackupError } from "./backup/format.ts";
import { ConfigError } from "./platform/process/environment.ts";
import { isUnavailable } from "./database/errors.ts";
import { EmbeddedPostgresError } from "./embedded-postgres/error.ts";
import { MigrationError } from "./database/migrate.ts";
import { Refusal } from "./platform/refusal.ts";
import { UnsealError } from "./platform/secrets/sealed.ts";
import { StoppedError } from "./platform/process/stop-signals.ts";

const REFUSED_LOGIN = new Set(["28P01", "28000", "3D000"]);

/** OpenSSL's error codes for certificates that are expired or not signed by a trusted authority. */
const UNTRUSTED = new Set([
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
/** insufficient_privilege, read_only_sql_transaction */
const LACKS_RIGHT = new Set(["42501", "25006"]);

/** Describes an error in one sentence for the operator; adds the stack only if the error is unexpected. */
export function explainError(error: unknown): string {
  if (error instanceof Refusal) return error.detail;
  if (
    error instanceof BackupError ||
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MigrationError ||
    error instanceof UnsealError ||
    error instanceof StoppedError
  ) {
    return error.message;
  }
  const { code, message } = ((error as Error).cause ?? error) as {
    code?: string;
    message?: string;
  };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "The database's certificate is for another host than the one in DATABASE_URL: use a name that it is for, or get one for this host.";
  if (message?.startsWith("unsupported startup parameter"))
    return "DATABASE_URL leads to a pooler such as PgBouncer: set DATABASE_LISTEN_URL to the address of PostgreSQL itself.";
  if (code && UNTRUSTED.has(code))
    return `The database's certificate is not trusted (${code}). Name the file of its authority in DATABASE_URL, as &sslrootcert=/etc/ssl/ca.pem.`;
  if (code && LACKS_RIGHT.has(code))
    return `The database's user lacks a right: ${message}. Snug needs the user that owns its tables, on the primary.`;
  if (isUnavailable(error))
    return `The database cannot be reached (${code ?? message}). Check DATABASE_URL.`;
  if (code && REFUSED_LOGIN.has(code))
    return `The database refuses the connection: ${message}. Check DATABASE_URL.`;
  if (error instanceof Error && error.constructor === Error) return error.message;
  // drizzle's message contains only the statement.
  if (error instanceof DrizzleQueryError)
    return `PostgreSQL: ${error.cause?.message ?? "the statement failed"} (${code ?? "no code"}).`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
