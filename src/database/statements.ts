/* Hand-written SQL: these ask PostgreSQL about itself, or run before Snug's own tables exist. */
import type { Sql } from "postgres";

/** Such as 180004. */
export async function readServerVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    select current_setting('server_version_num')::int as version`;
  return row?.version ?? 0;
}

/** @returns the version in words, and whether a commit is on the disk when it is confirmed */
export async function readServerState(sql: Sql): Promise<{ version: string; isDurable: boolean }> {
  const [row] = await sql<{ version: string; is_durable: boolean }[]>`
    select current_setting('server_version') as version,
      current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as is_durable`;
  return { version: row?.version ?? "", isDurable: row?.is_durable ?? false };
}

/** How many connections Snug has to its database, from all instances, by their state. */
export async function countConnections(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ state: string; count: number }[]>`
    select coalesce(state, 'starting') as state, count(*)::int as count from pg_stat_activity
    where application_name = 'snug' and datname = current_database() group by 1`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Seconds after which PostgreSQL ends a statement by itself; 0: never. */
export async function readStatementTimeout(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from current_setting('statement_timeout')::interval)::int as seconds`;
  return row?.seconds ?? 0;
}

/** Which process of PostgreSQL answers. */
export async function readBackend(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
}

/** Takes an advisory lock, which ends with its connection. */
export async function lockSession(sql: Sql, key: number): Promise<void> {
  await sql`select pg_advisory_lock(${key})`;
}

/** Whether Snug has ever migrated this database. */
export async function hasMigrations(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ has_table: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as has_table`;
  return row?.has_table ?? false;
}

/** How many migrations were applied, in a database that has some. */
export async function countMigrations(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from drizzle.__drizzle_migrations`;
  return row?.count ?? 0;
}

/** The SHA-256 of each migration that was applied, in a database that has some. */
export async function listAppliedHashes(sql: Sql): Promise<string[]> {
  const rows = await sql<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations`;
  return rows.map(({ hash }) => hash);
}

/** Which of these tables are in the schema that Snug uses. */
export async function listTablesNamed(sql: Sql, names: string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relname = any(${names}::text[]) and relnamespace = current_schema()::regnamespace
    order by 1`;
  return rows.map(({ name }) => name);
}

/** Such as UTF8. */
export async function readEncoding(sql: Sql): Promise<string> {
  const [row] = await sql<{ encoding: string }[]>`
    select current_setting('server_encoding') as encoding`;
  return row?.encoding ?? "";
}

/** Whether this user may write here: not one who may only read, and not on a standby. */
export async function canWrite(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ can: boolean }[]>`
    select has_table_privilege('rooms', 'insert') and not pg_is_in_recovery() as can`;
  return row?.can ?? false;
}

/** How many connections PostgreSQL admits to this user, and how many are taken now. */
export async function readConnections(sql: Sql): Promise<{ max: number; used: number }> {
  const [row] = await sql<{ max: number; used: number }[]>`
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max,
      -- Of others, pg_stat_activity shows a user only that they are there.
      (select sum(numbackends)::int from pg_stat_database) as used`;
  return row ?? { max: 0, used: 0 };
}
