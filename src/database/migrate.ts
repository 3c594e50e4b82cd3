import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { INSTALLATION } from "../platform/installation.ts";
import { waitUnlessStopped } from "../platform/stop-signals.ts";
import { openClient } from "./connect.ts";
import type { Target } from "./target.ts";
import {
  countMigrations,
  hasMigrations,
  lockSession,
  readNewestMigration,
  readServerVersion,
} from "./statements.ts";

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
 * @throws MigrationError if the server is older than PostgreSQL 14; the signal's reason
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
    if ((await readServerVersion(sql)) < OLDEST_SERVER) {
      throw new MigrationError("Snug needs PostgreSQL 14 or newer: point DATABASE_URL at one.");
    }
    // So that a user who may only read gets as far as reading.
    if (await isCurrent(sql)) return 0;
    await lockSession(sql, LOCK_KEY);
    const before = await countApplied(sql);
    await runMigrations(drizzle(sql), { migrationsFolder: FOLDER });
    return (await countApplied(sql)) - before;
  } finally {
    signal?.removeEventListener("abort", cut);
    // The lock ends with the connection.
    await sql.end({ timeout: 5 });
  }
}

/** Whether nothing is left to apply: the driver's migrator goes by the time of the last one. */
async function isCurrent(sql: Sql): Promise<boolean> {
  if (!(await hasMigrations(sql))) return false;
  const newest = Math.max(...readKnownMigrations().map(({ created_at }) => created_at));
  return (await readNewestMigration(sql)) >= newest;
}

/** How many migrations this version of Snug comes with. */
export function countKnownMigrations(): number {
  return readdirSync(FOLDER).filter((name) => name.endsWith(".sql")).length;
}

/** The migrations of this version of Snug, in their order. */
export function readKnownMigrations() {
  return readMigrationFiles({ migrationsFolder: FOLDER }).map(({ sql, hash, folderMillis }) => ({
    ...{ hash, created_at: folderMillis, statements: sql },
  }));
}

/** How many migrations the database has, 0 for an empty one. */
export async function countApplied(sql: Sql): Promise<number> {
  return (await hasMigrations(sql)) ? countMigrations(sql) : 0;
}
