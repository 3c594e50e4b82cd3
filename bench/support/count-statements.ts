import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bed } from "./bed.ts";

/** What requests sent to PostgreSQL, by pg_stat_statements. */
export type Counted = { statements: number; postgresMs: number };

/** Makes PostgreSQL count statements: a library that it loads at its next start. */
export async function countStatements(bed: Bed): Promise<void> {
  const { sql } = bed.database;
  await sql`alter system set shared_preload_libraries = 'pg_stat_statements'`;
  await bed.restartPostgres();
  await bed.database.sql`create extension if not exists pg_stat_statements`;
}

/** Counts what the work sends, less what the counting itself sends. */
export async function withStatements<T>(bed: Bed, work: () => Promise<T>): Promise<T & Counted> {
  const { sql } = bed.database;
  await sql`select pg_stat_statements_reset()`;
  const result = await work();
  const [row] = await sql<{ calls: number; ms: number }[]>`
    select coalesce(sum(calls), 0)::float8 as calls, coalesce(sum(total_exec_time), 0)::float8 as ms
    from pg_stat_statements where query not like '%pg_stat_statements%'`;
  return { ...result, statements: row?.calls ?? 0, postgresMs: row?.ms ?? 0 };
}

/** Waits until the service sends PostgreSQL nothing for a moment: what a load began has ended. */
export async function settle(bed: Bed): Promise<void> {
  const deadline = Date.now() + 15_000;
  let before = -1;
  while (Date.now() < deadline) {
    const [row] = await bed.database.sql<{ calls: number }[]>`
      select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
      where query not like '%pg_stat_statements%'`;
    const calls = row?.calls ?? 0;
    if (calls === before) return;
    before = calls;
    await Bun.sleep(250);
  }
}

/** A statement of one request, as PostgreSQL's log has it. */
export type Logged = { text: string; isPrepared: boolean };

/** The statements of one request that nothing runs beside: `log_statement` says how each came. */
export async function logStatements(bed: Bed, request: () => Promise<void>): Promise<Logged[]> {
  const { sql } = bed.database;
  await settle(bed);
  const file = join(bed.folder, "postgres/server.log");
  await sql`alter system set log_statement = 'all'`;
  await sql`select pg_reload_conf()`;
  await Bun.sleep(300);
  const from = readFileSync(file).length;
  await request();
  const lines = readFileSync(file).subarray(from).toString();
  await sql`alter system reset log_statement`;
  await sql`select pg_reload_conf()`;
  return [
    ...lines.matchAll(/LOG: {2}(?:execute (\S+)|(statement)): ([\s\S]*?)(?=\n\d{4}-\d\d-\d\d |$)/g),
  ]
    .map(([, name, plain, text = ""]) => ({
      text: text.replace(/\s+/g, " ").trim(),
      isPrepared: plain === undefined && name !== "<unnamed>",
    }))
    .filter(({ text }) => !/^(?:begin|commit|rollback|alter system)/i.test(text));
}
