import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { INSTALLATION } from "../platform/process/installation.ts";
import { waitUnlessStopped } from "../platform/process/stop-signals.ts";
import { openClient } from "./connect.ts";
import type { Target } from "./target.ts";
import { VERSION } from "../wire/version.ts";
import { TABLE_NAMES } from "./tables.ts";

const FOLDER = join(INSTALLATION, "drizzle");
/** An arbitrary key of the advisory lock that serializes migrations. */
export const LOCK_KEY = 5_733_521;
const OLDEST_SERVER = 140_000;

/** The database cannot be used. The message is one sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Applies pending migrations. Several processes may call this at once.
 * @param signal aborts and rolls back the migrations in progress
 * @returns the number of migrations applied
 * @throws MigrationError if Snug cannot use the server or the existing schema; the signal's reason
 */
export async function migrateDatabase(target: Target, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted();
  const work = applyMigrations(target, signal);
  return signal ? waitUnlessStopped(work, signal) : work;
}

async function applyMigrations(target: Target, signal?: AbortSignal): Promise<number> {
  // No limits, because migrating a large table can take long.
  const sql = openClient(target, 1, { limits: null });
  const endConnection = () => void sql.end({ timeout: 0 });
  signal?.addEventListener("abort", endConnection, { once: true });
  try {
    await checkServer(sql);
    const { isThere, pending } = await readSchema(sql);
    if (isThere && pending === 0) return 0;
    await sql`select pg_advisory_lock(${LOCK_KEY})`;
    // Another instance may have migrated the database in the meantime.
    const { isThere: isThereNow, appliedCount: before } = await readSchema(sql);
    if (!isThereNow) await checkEmpty(sql);
    await runMigrations(drizzle(sql), { migrationsFolder: FOLDER });
    return (await countAppliedMigrations(sql)) - before;
  } finally {
    signal?.removeEventListener("abort", endConnection);
    // The session-level lock ends with the connection.
    await sql.end({ timeout: 5 });
  }
}

/** @throws MigrationError if Snug does not support the server's version or encoding */
export async function checkServer(sql: Sql): Promise<void> {
  const [server] = await sql<{ version: number; encoding: string }[]>`
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding`;
  if (!server || server.version < OLDEST_SERVER) {
    throw new MigrationError("Snug needs PostgreSQL 14 or newer: point DATABASE_URL at one.");
  }
  if (server.encoding !== "UTF8") {
    throw new MigrationError(
      `The database's encoding is ${server.encoding}, but Snug needs UTF8. Create another one and point DATABASE_URL at it: create database snug owner snug encoding 'UTF8' template template0`,
    );
  }
}

/** @throws MigrationError if tables of another program have the names of Snug's */
async function checkEmpty(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relname = any(${TABLE_NAMES}::text[]) and relnamespace = current_schema()::regnamespace
    order by 1`;
  if (tables.length === 0) return;
  const names = tables.map(({ name }) => name).join(", ");
  throw new MigrationError(
    `This database has tables that are not Snug's (${names}): give Snug an empty one.`,
  );
}

export type Schema = {
  /** Whether Snug has ever migrated the database. */
  isThere: boolean;
  appliedCount: number;
  /** The number of this version's migrations that have not been applied. */
  pending: number;
};

/** @throws MigrationError if the database was migrated by a newer version or another program */
async function readSchema(sql: Sql): Promise<Schema> {
  const migrations = readKnownMigrations();
  const appliedHashes = await readAppliedHashes(sql);
  const hashes = new Set(migrations.map(({ hash }) => hash));
  const unknown = appliedHashes.filter((hash) => !hashes.has(hash)).length;
  if (unknown > 0 && unknown === appliedHashes.length) {
    throw new MigrationError(
      "This database has migrations that are not Snug's: give Snug an empty one.",
    );
  }
  if (unknown > 0) {
    throw new MigrationError(
      `This database is from a newer version of Snug (migrations that ${VERSION} does not know: ${unknown}): use that version, or restore a backup from before the upgrade.`,
    );
  }
  const pending = migrations.filter(({ hash }) => !appliedHashes.includes(hash)).length;
  return { isThere: appliedHashes.length > 0, appliedCount: appliedHashes.length, pending };
}

export async function inspectSchema(target: Target): Promise<Schema> {
  const sql = openClient(target, 1);
  try {
    return await readSchema(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @throws MigrationError unless the schema is that of this version */
export function requireCurrentSchema({ isThere, pending }: Schema): void {
  if (!isThere) {
    throw new MigrationError(
      "There is no Snug in this database: set DATA_DIR or DATABASE_URL, or start Snug to create it.",
    );
  }
  if (pending > 0) throw new MigrationError(describePendingMigrations(pending));
}

export function describePendingMigrations(pending: number): string {
  const migrations = pending === 1 ? "1 migration is" : `${pending} migrations are`;
  return `${migrations} pending: start Snug or run \`migrate\`.`;
}

export function countKnownMigrations(): number {
  return readdirSync(FOLDER).filter((name) => name.endsWith(".sql")).length;
}

export function readKnownMigrations() {
  return readMigrationFiles({ migrationsFolder: FOLDER }).map(({ sql, hash, folderMillis }) => ({
    hash,
    created_at: folderMillis,
    statements: sql,
  }));
}

/** The SHA-256 of each applied migration; empty if the database was never migrated. */
async function readAppliedHashes(sql: Sql): Promise<string[]> {
  const [table] = await sql<{ is_there: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as is_there`;
  if (!table?.is_there) return [];
  const rows = await sql<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations`;
  return rows.map(({ hash }) => hash);
}

export async function countAppliedMigrations(sql: Sql): Promise<number> {
  return (await readAppliedHashes(sql)).length;
}
