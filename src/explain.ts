import { BackupError } from "./backup/format.ts";
import { ConfigError } from "./config.ts";
import { isUnavailable } from "./database/errors.ts";
import { EmbeddedPostgresError } from "./database/embedded/start.ts";
import { MigrationError } from "./database/migrate.ts";
import { Refusal } from "./platform/refusal.ts";
import { StoppedError } from "./platform/stop-signals.ts";

const REFUSED_LOGIN = new Set(["28P01", "28000", "3D000"]);

/** An error as one sentence for an operator; with a stack only if it is unexpected. */
export function explainError(error: unknown): string {
  if (error instanceof Refusal) return error.detail;
  if (
    error instanceof BackupError ||
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MigrationError ||
    error instanceof StoppedError
  ) {
    return error.message;
  }
  const { code, message } = error as { code?: string; message?: string };
  if (isUnavailable(error))
    return `The database cannot be reached (${code ?? message}). Check DATABASE_URL.`;
  if (code && REFUSED_LOGIN.has(code))
    return `The database refuses the connection: ${message}. Check DATABASE_URL.`;
  if (error instanceof Error && error.constructor === Error) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
