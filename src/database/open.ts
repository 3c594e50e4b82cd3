import type { Config } from "../config.ts";
import { connect, type Target } from "./connect.ts";
import { startEmbedded } from "./embedded/start.ts";
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
 * @throws EmbeddedPostgresError, MigrationError, or the driver's error when it cannot be reached
 */
export async function openDatabase(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  log?: (line: string) => void,
): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    return {
      target: config.databaseUrl,
      migrated: await migrate(config.databaseUrl),
      release: async () => {},
    };
  }
  const embedded = await startEmbedded(config.dataDir, { log });
  const target = embedded.connection;
  try {
    return { target, migrated: await migrate(target), release: () => embedded.release() };
  } catch (error) {
    await embedded.release();
    throw error;
  }
}

/** Opens the database for one piece of work, and closes it after. */
export async function withDatabase<T>(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  work: (database: ReturnType<typeof connect>, opened: OpenDatabase) => Promise<T>,
): Promise<T> {
  const opened = await openDatabase(config);
  const database = connect(opened.target, 2);
  try {
    return await work(database, opened);
  } finally {
    await database.close();
    await opened.release();
  }
}
