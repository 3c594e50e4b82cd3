import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import type { TransactionSql } from "postgres";
import { openClient } from "../database/connect.ts";
import { directOf, type Target } from "../database/target.ts";
import { REMOVAL_LOCK } from "../uploads/remove.ts";
import { VERSION } from "../wire/version.ts";
import type { ArchiveWriter } from "./archive.ts";
import {
  type AppliedMigration,
  BackupError,
  FORMAT,
  HEAD,
  type Head,
  PIECE_BYTES,
  pieceName,
  sha256,
  type Table,
  TAIL,
  type Tail,
} from "./format.ts";

/** Raw SQL, because drizzle knows neither COPY nor the columns of other versions. */

/** Removes the transaction's timeouts, because a backup may take long. */
export async function liftLimits(tx: TransactionSql): Promise<void> {
  await tx`select set_config(name, '0', true) from unnest(array['statement_timeout',
    'lock_timeout', 'idle_in_transaction_session_timeout']) as s (name)`;
}

/** @returns false if another transaction holds the lock, shared or exclusive */
export async function tryLock(tx: TransactionSql, key: number): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${key}) as locked`;
  return row?.locked ?? false;
}

/** Includes the writable columns. Skips UNLOGGED tables, whose rows may be lost anyway. */
export function listTables(tx: TransactionSql): Promise<{ name: string; columns: string[] }[]> {
  return tx`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relpersistence = 'p' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1 order by 1`;
}

export async function countRows(tx: TransactionSql, table: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`select count(*)::float8 as count from ${tx(table)}`;
  return row?.count ?? 0;
}

/** Null for a sequence that was never used. Snapshots do not include sequences. */
export function listSequences(
  tx: TransactionSql,
): Promise<{ name: string; last_value: string | null }[]> {
  return tx`
    select sequencename as name, last_value::text from pg_sequences
    where schemaname = current_schema() order by 1`;
}

/** An SQL condition from the foreign keys in the database. */
export async function readBlobUses(tx: TransactionSql): Promise<string> {
  const keys = await tx<{ table: string; column: string }[]>`
    select c.conrelid::regclass::text as table, quote_ident(a.attname) as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = to_regclass('blobs') order by 1, 2`;
  const uses = keys.map(
    ({ table, column }) => `exists (select from ${table} u where u.${column} = b.sha256)`,
  );
  return uses.length === 0 ? "false" : uses.join(" or ");
}

/** A page, ordered by key. @param uses from `readBlobUses` */
export function listBlobs(
  tx: TransactionSql,
  uses: string,
  after: string,
  limit: number,
): Promise<{ key: string; size: number }[]> {
  return tx`
    select encode(sha256, 'hex') as key, size_bytes::float8 as size from blobs b
    where sha256 > decode(${after}, 'hex') and (${tx.unsafe(uses)})
    order by sha256 limit ${limit}`;
}

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;

const LOCK_WAIT_MS = 1_000;
const LOCK_POLL_MS = 50;
const NEW_LINE = 10;

export type Snapshot = { tx: TransactionSql; tables: Table[]; head: Omit<Head, "uploads"> };

/**
 * Runs work on a snapshot of the database. Until it ends, no upload in the snapshot is deleted and no
 * migration changes a table.
 * @throws BackupError if another backup is running or there is nothing to back up
 */
export async function withSnapshot<T>(
  target: Target,
  secretKeys: string[] | null,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  // Bypasses the pooler, because these transactions last as long as the backup.
  const sql = openClient(directOf(target), 2, { limits: null });
  try {
    // The lock must be taken before the snapshot, so it needs a separate connection.
    const result = await sql.begin(async (holder) => {
      await liftLimits(holder);
      await takeRemovalLock(holder);
      return sql.begin("isolation level repeatable read read only", async (tx) => {
        await liftLimits(tx);
        return work(await openSnapshot(tx, secretKeys));
      });
    });
    return result as T;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function openSnapshot(tx: TransactionSql, secretKeys: string[] | null): Promise<Snapshot> {
  const query = tx<AppliedMigration[]>`
    select hash, created_at::float8 as created_at from drizzle.__drizzle_migrations
    order by created_at`;
  const migrations = await query.catch(() => {
    throw new BackupError("The database has no Snug data yet: there is nothing to back up.");
  });
  const tables = await listTables(tx);
  const names = tables.map(({ name }) => quoteIdentifier(name)).join(", ");
  // Keeps the schema unchanged: a migration waits for this lock.
  await tx`lock table ${tx.unsafe(names)} in access share mode`;
  const head = {
    format: FORMAT,
    snug: VERSION,
    created_at: new Date().toISOString(),
    migrations: migrations.map((migration) => ({ ...migration })),
    tables,
    secret_keys: secretKeys,
  };
  return { tx, tables, head };
}

/** Unused uploads are chosen under this lock, which a backup holds until its end. */
async function takeRemovalLock(tx: TransactionSql): Promise<void> {
  const deadline = Date.now() + LOCK_WAIT_MS;
  while (!(await tryLock(tx, REMOVAL_LOCK))) {
    if (Date.now() > deadline) {
      throw new BackupError("Another backup of this database is running: wait until it ends.");
    }
    await Bun.sleep(LOCK_POLL_MS);
  }
}

/** @returns the head's and the tables' part of the tail */
export async function dumpDatabase(
  { tx, tables, head }: Snapshot,
  uploads: Head["uploads"],
  writer: ArchiveWriter,
  signal?: AbortSignal,
): Promise<Pick<Tail, "rows" | "sequences" | "sums">> {
  const sums: Tail["sums"] = {};
  const add = async (name: string, content: Uint8Array) => {
    sums[name] = sha256(content);
    await writer.add(name, content);
  };
  await add(HEAD, Buffer.from(JSON.stringify({ ...head, uploads }, null, 2)));
  const rows: Tail["rows"] = {};
  for (const table of tables) {
    let number = 0;
    rows[table.name] = await dumpTable(tx, table, async (text) => {
      signal?.throwIfAborted();
      const piece = pieceName(`database/${table.name}`, ++number, ".copy.zst");
      await add(piece, await compress(text));
    });
  }
  return { rows, sequences: (await listSequences(tx)).map((sequence) => ({ ...sequence })), sums };
}

/** Chunks may end within a row. @returns the number of rows */
export async function dumpTable(
  tx: TransactionSql,
  { name, columns }: Table,
  write: (text: Uint8Array) => Promise<void>,
): Promise<number> {
  let count = 0;
  const output = await tx`copy ${tx(name)} (${tx(columns)}) to stdout`.readable();
  for await (const text of toPieces(output)) {
    count += countLines(text);
    await write(text);
  }
  return count;
}

export async function writeTail(writer: ArchiveWriter, tail: Tail): Promise<void> {
  await writer.add(TAIL, Buffer.from(JSON.stringify(tail, null, 2)));
  writer.end();
}

/** Compresses with a checksum, so that a damaged chunk is detected before PostgreSQL reads it. */
async function compress(text: Uint8Array): Promise<Uint8Array> {
  return promisify(zstdCompress)(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
}

/** Counts rows. COPY escapes a line feed within a value, so each actual line feed ends a row. */
export function countLines(text: Uint8Array): number {
  let count = 0;
  for (let at = text.indexOf(NEW_LINE); at !== -1; at = text.indexOf(NEW_LINE, at + 1)) count++;
  return count;
}

async function* toPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    // The driver reuses the buffer it passes.
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(chunks);
}
