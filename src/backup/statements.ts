/*
 * Hand-written SQL: these read and write whole tables with COPY, whatever columns a version has,
 * and ask PostgreSQL's catalogue about them.
 */
import type { Readable } from "node:stream";
import type { Sql, TransactionSql } from "postgres";
import type { SqlClient } from "../database/connect.ts";
import type { AppliedMigration } from "./format.ts";

/** Lifts the time limits of statements: a backup may take long. */
export async function liftLimits(tx: TransactionSql): Promise<void> {
  await tx`select set_config(name, '0', true) from unnest(array['statement_timeout',
    'lock_timeout', 'idle_in_transaction_session_timeout']) as s (name)`;
}

/** @returns false while another transaction holds the lock, shared or exclusive */
export async function tryLock(tx: TransactionSql, key: number): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${key}) as locked`;
  return row?.locked ?? false;
}

/** The permanent tables, with the columns that can be written. What is UNLOGGED may be lost. */
export function listTables(tx: TransactionSql): Promise<{ name: string; columns: string[] }[]> {
  return tx`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relpersistence = 'p' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1 order by 1`;
}

/** Prevents changes of the tables' columns: a migration waits. */
export async function lockTables(tx: TransactionSql, tables: string[]): Promise<void> {
  await tx`lock table ${tx.unsafe(tables.map(quoteIdentifier).join(", "))} in access share mode`;
}

/** Streams a table's rows in PostgreSQL's text format (COPY). */
export async function copyOut(
  tx: TransactionSql,
  table: string,
  columns: string[],
): Promise<Readable> {
  return tx`copy ${tx(table)} (${tx(columns)}) to stdout`.readable();
}

/** Counts a table's rows, all of them. */
export async function countRows(tx: TransactionSql, table: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`select count(*)::float8 as count from ${tx(table)}`;
  return row?.count ?? 0;
}

/**
 * Reads how far the sequences have counted; null before the first number. A snapshot does not
 * include them.
 */
export function listSequences(
  tx: TransactionSql,
): Promise<{ name: string; last_value: string | null }[]> {
  return tx`
    select sequencename as name, last_value::text from pg_sequences
    where schemaname = current_schema() order by 1`;
}

/** Lists the migrations that the database has, the oldest first. */
export function listMigrations(sql: Sql | TransactionSql): Promise<AppliedMigration[]> {
  return sql`
    select hash, created_at::float8 as created_at from drizzle.__drizzle_migrations
    order by created_at`;
}

/** Builds the SQL condition that something refers to a blob, from the foreign keys in the database. */
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

/** A page of the blobs that something refers to, by their keys. @param uses as of `readBlobUses` */
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

/** When the newest backup was taken, by any instance or by hand; null if none was. */
export async function readLastBackup(sql: SqlClient): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select last_success_at as at from schedules where name = 'backup'`;
  return row?.at ?? null;
}
