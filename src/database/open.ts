import type { Config } from "../config.ts";
import { connect, type Target } from "./connect.ts";
import { startEmbedded } from "./embedded/start.ts";
import { catchStopSignals, orStopped } from "../platform/stop-signals.ts";
import { migrate } from "./migrate.ts";

export type OpenDatabase = {
  target: Target;
  /** How many migrations were applied. */
  migrated: number;
  /** Lets the embedded server stop when nobody else uses it. */
  release(): Promise<void>;
};

/**
 * Finds the database, the one of the settings or the embedded one, and brings its schema up to
 * date.
 * @param options.signal ends the start of an embedded server, and the wait for migrations
 * @throws EmbeddedPostgresError, MigrationError, the signal's reason, or the driver's error when it
 * cannot be reached
 */
export async function openDatabase(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  options: { log?: (line: string) => void; signal?: AbortSignal } = {},
): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    return {
      target: config.databaseUrl,
      migrated: await migrate(config.databaseUrl, options.signal),
      release: async () => {},
    };
  }
  const embedded = await startEmbedded(config.dataDir, options);
  const target = embedded.connection;
  try {
    return {
      target,
      migrated: await migrate(target, options.signal),
      release: () => embedded.release(),
    };
  } catch (error) {
    await embedded.release();
    throw error;
  }
}

/**
 * Opens the database for one piece of work, and closes it after. A signal to stop ends the work
 * early, so that an embedded server does not stay behind.
 * @throws as `openDatabase`; `StoppedError`
 */
export async function withDatabase<T>(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  work: (database: ReturnType<typeof connect>, opened: OpenDatabase) => Promise<T>,
): Promise<T> {
  const { signal, release } = catchStopSignals();
  try {
    const opened = await openDatabase(config, { signal });
    const database = connect(opened.target, 2);
    try {
      return await orStopped(work(database, opened), signal);
    } finally {
      await database.close();
      await opened.release();
    }
  } finally {
    release();
  }
}
