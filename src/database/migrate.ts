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
import {
  countMigrations,
  hasMigrations,
  listAppliedHashes,
  listTablesNamed,
  lockSession,
  readEncoding,
  readServerVersion,
} from "./statements.ts";
import { TABLE_NAMES } from "./tables.ts";

const FOLDER = join(INSTALLATION, "drizzle");
/** Any number: instances that start together take turns. */
export const LOCK_KEY = 5_733_521;
const OLDEST_SERVER = 140_000;

/** The database cannot be used. The message is one sentence for an operator. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Brings the schema up to date. Safe to call from several processes at once.
 * @param signal ends it, and rolls back the migrations that are being applied
 * @returns how many migrations it applied
 * @throws MigrationError if Snug cannot use the server or what is in the database; the signal's reason
 */
export async function migrateDatabase(target: Target, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted();
  const work = applyMigrations(target, signal);
  return signal ? waitUnlessStopped(work, signal) : work;
}

async function applyMigrations(target: Target, signal?: AbortSignal): Promise<number> {
  // A migration of a large table takes as long as it takes.
  const sql = openClient(target, 1, { limits: null });
  const cut = () => void sql.end({ timeout: 0 });
  signal?.addEventListener("abort", cut, { once: true });
  try {
    await checkServer(sql);
    const { isThere, pending } = await readSchema(sql);
    if (isThere && pending === 0) return 0;
    await lockSession(sql, LOCK_KEY);
    // Another instance may have migrated it meanwhile.
    const { isThere: isThereNow, applied: before } = await readSchema(sql);
    if (!isThereNow) await checkEmpty(sql);
    await runMigrations(drizzle(sql), { migrationsFolder: FOLDER });
    return (await countApplied(sql)) - before;
  } finally {
    signal?.removeEventListener("abort", cut);
    // The lock ends with the connection.
    await sql.end({ timeout: 5 });
  }
}

/** @throws MigrationError for a server or an encoding that Snug cannot use */
export async function checkServer(sql: Sql): Promise<void> {
  if ((await readServerVersion(sql)) < OLDEST_SERVER) {
    throw new MigrationError("Snug needs PostgreSQL 14 or newer: point DATABASE_URL at one.");
  }
  const encoding = await readEncoding(sql);
  if (encoding !== "UTF8") {
    throw new MigrationError(
      `The database's encoding is ${encoding}, but Snug needs UTF8. Create another one and point DATABASE_URL at it: create database snug owner snug encoding 'UTF8' template template0`,
    );
  }
}

/** @throws MigrationError where tables have the names of Snug's, but Snug has not made them */
async function checkEmpty(sql: Sql): Promise<void> {
  const names = await listTablesNamed(sql, TABLE_NAMES);
  if (names.length === 0) return;
  throw new MigrationError(
    `This database has tables that are not Snug's (${names.join(", ")}): give Snug an empty one.`,
  );
}

/** What a database holds of Snug. */
export type Schema = {
  /** Whether Snug has ever migrated it. */
  isThere: boolean;
  applied: number;
  /** Migrations of this version that were not applied. */
  pending: number;
};

/** @throws MigrationError if the database was migrated by a newer version, or by another program */
export async function readSchema(sql: Sql): Promise<Schema> {
  const migrations = readKnownMigrations();
  if (!(await hasMigrations(sql)))
    return { isThere: false, applied: 0, pending: migrations.length };
  const applied = await listAppliedHashes(sql);
  const hashes = new Set(migrations.map(({ hash }) => hash));
  const unknown = applied.filter((hash) => !hashes.has(hash)).length;
  if (unknown > 0 && unknown === applied.length) {
    throw new MigrationError(
      "This database has migrations that are not Snug's: give Snug an empty one.",
    );
  }
  if (unknown > 0) {
    throw new MigrationError(
      `This database is of a newer version of Snug (migrations that ${VERSION} does not know: ${unknown}): use that version, or restore a backup from before the upgrade.`,
    );
  }
  const pending = migrations.filter(({ hash }) => !applied.includes(hash)).length;
  return { isThere: applied.length > 0, applied: applied.length, pending };
}

/** The schema that a command finds, without a change to it. @throws as `readSchema` */
export async function inspectSchema(target: Target): Promise<Schema> {
  const sql = openClient(target, 1);
  try {
    return await readSchema(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @throws MigrationError unless the schema is this version's */
export function requireCurrent({ isThere, pending }: Schema): void {
  if (!isThere) {
    throw new MigrationError(
      "There is no Snug in this database: set DATA_DIR or DATABASE_URL, or start Snug to create it.",
    );
  }
  if (pending > 0) throw new MigrationError(describePending(pending));
}

export function describePending(pending: number): string {
  const what = pending === 1 ? "1 migration is" : `${pending} migrations are`;
  return `${what} pending: start Snug or run \`migrate\`.`;
}

/** How many migrations this version of Snug comes with. */
export function countKnownMigrations(): number {
  return readdirSync(FOLDER).filter((name) => name.endsWith(".sql")).length;
}

/** The migrations of this version of Snug, in their order. */
export function readKnownMigrations() {
  return readMigrationFiles({ migrationsFolder: FOLDER }).map(({ sql, hash, folderMillis }) => ({
    hash,
    created_at: folderMillis,
    statements: sql,
  }));
}

/** How many migrations the database has, 0 for an empty one. */
export async function countApplied(sql: Sql): Promise<number> {
  return (await hasMigrations(sql)) ? countMigrations(sql) : 0;
}
