import { readdirSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { orStopped } from "../platform/stop-signals.ts";
import { client, type Target } from "./connect.ts";

const FOLDER = join(import.meta.dir, "../../drizzle");
/** Any number of our own: instances that boot together take turns. */
const LOCK = 5_733_521;
const OLDEST_SERVER = 140_000;

/** A database that cannot be used; the message is one sentence for an operator. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Brings the schema up to date. Safe to call from several processes at once.
 * @param signal ends it: the migrations that are being applied are rolled back together
 * @returns how many migrations it applied
 * @throws MigrationError if the server is older than PostgreSQL 14; the signal's reason
 */
export async function migrate(target: Target, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted();
  const work = applyMigrations(target, signal);
  return signal ? orStopped(work, signal) : work;
}

async function applyMigrations(target: Target, signal?: AbortSignal): Promise<number> {
  // A migration of a large table takes as long as it takes.
  const sql = client(target, 1, { limits: null });
  const cut = () => void sql.end({ timeout: 0 });
  signal?.addEventListener("abort", cut, { once: true });
  try {
    const [server] = await sql`select current_setting('server_version_num')::int as version`;
    if (!server || server.version < OLDEST_SERVER) {
      throw new MigrationError("Snug needs PostgreSQL 14 or newer: point DATABASE_URL at one.");
    }
    await sql`select pg_advisory_lock(${LOCK})`;
    const before = await countApplied(sql);
    await runMigrations(drizzle(sql), { migrationsFolder: FOLDER });
    return (await countApplied(sql)) - before;
  } finally {
    signal?.removeEventListener("abort", cut);
    // Ending the connection gives the lock back.
    await sql.end({ timeout: 5 });
  }
}

/** How many migrations this version of Snug comes with. */
export function knownMigrations(): number {
  return readdirSync(FOLDER).filter((name) => name.endsWith(".sql")).length;
}

/** How many migrations the database holds. */
export async function countApplied(sql: Sql): Promise<number> {
  const [table] =
    await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (!table?.present) return 0;
  const [row] = await sql`select count(*)::int as count from drizzle.__drizzle_migrations`;
  return row?.count ?? 0;
}
