import { relative } from "node:path";
import type { Config } from "../config.ts";
import { type Database, useDatabase } from "./connect.ts";
import { directOf, type Target } from "./target.ts";
import { startEmbedded } from "../embedded-postgres/start.ts";
import { catchStopSignals, waitUnlessStopped } from "../platform/process/stop-signals.ts";
import { hasCluster } from "../embedded-postgres/paths.ts";
import {
  countKnownMigrations,
  inspectSchema,
  migrateDatabase,
  MigrationError,
  requireCurrentSchema,
  type Schema,
} from "./migrate.ts";

type DatabaseConfig = Pick<
  Config,
  "databaseUrl" | "databaseListenUrl" | "databasePrepare" | "dataDir"
>;

export type OpenDatabase = {
  target: Target;
  migrated: number;
  schema: Schema;
  /** Closes the connection. The last user stops the embedded server. */
  release(): Promise<void>;
};

/**
 * How to handle an older schema: `migrate` applies pending migrations, `current` rejects it, `any`
 * accepts it. A newer schema is always rejected.
 */
type SchemaUse = "migrate" | "current" | "any";

type OpenOptions = {
  schema: SchemaUse;
  /** Whether to create an embedded server where it is missing. */
  creates: boolean;
  log?: (line: string) => void;
  /** Aborts the start of an embedded server and the wait for migrations. */
  signal?: AbortSignal;
};

/**
 * Opens the configured database, or the embedded one if none is configured.
 * @throws EmbeddedPostgresError, MigrationError, the signal's reason, or the driver's connection error
 */
export async function openDatabase(
  config: DatabaseConfig,
  options: OpenOptions,
): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    const { databaseUrl: url, databaseListenUrl: direct, databasePrepare: prepares } = config;
    const target = direct === null ? url : { pooler: url, direct, prepares };
    return { target, release: async () => {}, ...(await prepareSchema(target, options)) };
  }
  if (!options.creates && !hasCluster(config.dataDir)) throw new NoSnugError(config.dataDir);
  const postgres = await startEmbedded(config.dataDir, options);
  const target = postgres.connection;
  try {
    const preparation = await prepareSchema(target, options);
    return { target, release: () => postgres.release(), ...preparation };
  } catch (error) {
    await postgres.release();
    throw error;
  }
}

class NoSnugError extends MigrationError {
  constructor(dataDir: string) {
    const relativePath = relative(process.cwd(), dataDir);
    const folder =
      relativePath.startsWith("..") || relativePath === "" ? dataDir : `./${relativePath}`;
    super(`There is no Snug in ${folder}: set DATA_DIR or DATABASE_URL.`);
  }
}

async function prepareSchema(
  target: Target,
  { schema, signal }: OpenOptions,
): Promise<Pick<OpenDatabase, "migrated" | "schema">> {
  const direct = directOf(target);
  if (schema === "migrate") {
    const migratedCount = await migrateDatabase(direct, signal);
    const migrationCount = countKnownMigrations();
    return {
      migrated: migratedCount,
      schema: { isThere: true, appliedCount: migrationCount, pending: 0 },
    };
  }
  const state = await inspectSchema(direct);
  if (schema === "current") requireCurrentSchema(state);
  return { migrated: 0, schema: state };
}

/**
 * Runs work on a database whose schema is not newer than this version. SIGINT or SIGTERM aborts the
 * work's signal and waits for the work to end.
 * @param creates whether to create an embedded server where it is missing
 * @throws as `openDatabase`; errors of the work; `StoppedError`
 */
export function withServer<T>(
  config: DatabaseConfig,
  work: (target: Target, signal: AbortSignal, schema: Schema) => Promise<T>,
  { creates = false } = {},
): Promise<T> {
  return withOpenedDatabase(config, { schema: "any", creates }, ({ target, schema }, signal) =>
    work(target, signal, schema),
  );
}

/**
 * Runs work on a database with this version's schema, then closes it. SIGINT or SIGTERM ends the work
 * early, so that no embedded server is left running. Neither creates nor migrates a database unless
 * asked to.
 * @throws as `openDatabase`; `StoppedError`
 */
export function withDatabase<T>(
  config: DatabaseConfig,
  work: (database: Database, openedDatabase: OpenDatabase) => Promise<T>,
  { schema = "current", creates = false }: Partial<Pick<OpenOptions, "schema" | "creates">> = {},
): Promise<T> {
  return withOpenedDatabase(config, { schema, creates }, (openedDatabase, signal) =>
    useDatabase(
      openedDatabase.target,
      (database) => waitUnlessStopped(work(database, openedDatabase), signal),
      2,
    ),
  );
}

async function withOpenedDatabase<T>(
  config: DatabaseConfig,
  options: OpenOptions,
  work: (openedDatabase: OpenDatabase, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, release } = catchStopSignals();
  try {
    const openedDatabase = await openDatabase(config, { ...options, signal });
    try {
      return await work(openedDatabase, signal);
    } finally {
      await openedDatabase.release();
    }
  } finally {
    release();
  }
}
