import type { Config } from "../config.ts";
import { connectDatabase } from "./connect.ts";
import { directOf, type Target } from "./target.ts";
import { startEmbedded } from "./embedded/start.ts";
import { catchStopSignals, waitUnlessStopped } from "../platform/stop-signals.ts";
import { migrateDatabase } from "./migrate.ts";

type DatabaseConfig = Pick<
  Config,
  "databaseUrl" | "databaseListenUrl" | "databasePrepare" | "dataDir"
>;

type OpenDatabase = {
  target: Target;
  /** How many migrations were applied. */
  migrated: number;
  /** Stops the embedded server if nobody else uses it. */
  release(): Promise<void>;
};

/**
 * Opens the configured database, or else the embedded one, and migrates it.
 * @param options.migrates false to leave the schema as it is
 * @param options.signal ends the start of an embedded server, and the wait for migrations
 * @throws EmbeddedPostgresError, MigrationError, the signal's reason, or the driver's error when it
 * cannot be reached
 */
export async function openDatabase(
  config: DatabaseConfig,
  options: { log?: (line: string) => void; signal?: AbortSignal; migrates?: boolean } = {},
): Promise<OpenDatabase> {
  const migrateIfAsked = async (target: Target) =>
    options.migrates === false ? 0 : migrateDatabase(directOf(target), options.signal);
  if (config.databaseUrl) {
    const target = targetOf(config.databaseUrl, config);
    return {
      target,
      migrated: await migrateIfAsked(target),
      release: async () => {},
    };
  }
  const embedded = await startEmbedded(config.dataDir, options);
  const target = embedded.connection;
  try {
    return {
      target,
      migrated: await migrateIfAsked(target),
      release: () => embedded.release(),
    };
  } catch (error) {
    await embedded.release();
    throw error;
  }
}

function targetOf(url: string, { databaseListenUrl, databasePrepare }: DatabaseConfig): Target {
  if (databaseListenUrl === null) return url;
  return { pooler: url, direct: databaseListenUrl, prepares: databasePrepare };
}

/**
 * Runs work on the database as it is, whatever its schema. A signal to stop aborts the work's signal,
 * and is waited for.
 * @throws as `openDatabase`, what the work throws; `StoppedError`
 */
export async function withServer<T>(
  config: DatabaseConfig,
  work: (target: Target, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, release } = catchStopSignals();
  try {
    const opened = await openDatabase(config, { signal, migrates: false });
    try {
      return await work(opened.target, signal);
    } finally {
      await opened.release();
    }
  } finally {
    release();
  }
}

/**
 * Runs work with the database, and closes it. A signal to stop ends the work early, so that no embedded
 * server is left running.
 * @throws as `openDatabase`; `StoppedError`
 */
export async function withDatabase<T>(
  config: DatabaseConfig,
  work: (database: ReturnType<typeof connectDatabase>, opened: OpenDatabase) => Promise<T>,
): Promise<T> {
  const { signal, release } = catchStopSignals();
  try {
    const opened = await openDatabase(config, { signal });
    const database = connectDatabase(opened.target, 2);
    try {
      return await waitUnlessStopped(work(database, opened), signal);
    } finally {
      await database.close();
      await opened.release();
    }
  } finally {
    release();
  }
}
