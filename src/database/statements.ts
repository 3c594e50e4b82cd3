/** Hand-written SQL: these statements query PostgreSQL's own state, or run before Snug's tables exist. */
import type { Sql } from "postgres";

/** PostgreSQL's `server_version_num`, such as 180004. */
export async function readServerVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    select current_setting('server_version_num')::int as version`;
  return row?.version ?? 0;
}

/** @returns the version as text, and whether commits are flushed to disk before they are confirmed */
export async function readServerState(sql: Sql): Promise<{ version: string; isDurable: boolean }> {
  const [row] = await sql<{ version: string; is_durable: boolean }[]>`
    select current_setting('server_version') as version,
      current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as is_durable`;
  return { version: row?.version ?? "", isDurable: row?.is_durable ?? false };
}

/** Counts Snug's connections to the database by state, across all instances. */
export async function countConnections(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ state: string; count: number }[]>`
    select coalesce(state, 'starting') as state, count(*)::int as count from pg_stat_activity
    where application_name = 'snug' and datname = current_database() group by 1`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Reads `statement_timeout` in seconds; 0 means no limit. */
export async function readStatementTimeout(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from current_setting('statement_timeout')::interval)::int as seconds`;
  return row?.seconds ?? 0;
}

/** Reads the process id of the PostgreSQL backend. */
export async function readBackend(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
}

/** Takes a session-level advisory lock, which ends with its connection. */
export async function lockSession(sql: Sql, key: number): Promise<void> {
  await sql`select pg_advisory_lock(${key})`;
}

/** Whether Snug's migrations table exists. */
export async function hasMigrations(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ has_table: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as has_table`;
  return row?.has_table ?? false;
}

/** Counts the applied migrations. The migrations table must exist. */
export async function countMigrations(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from drizzle.__drizzle_migrations`;
  return row?.count ?? 0;
}

/** Lists the SHA-256 of each applied migration. The migrations table must exist. */
export async function listAppliedHashes(sql: Sql): Promise<string[]> {
  const rows = await sql<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations`;
  return rows.map(({ hash }) => hash);
}

/** Returns which of these tables exist in Snug's schema. */
export async function listTablesNamed(sql: Sql, names: string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relname = any(${names}::text[]) and relnamespace = current_schema()::regnamespace
    order by 1`;
  return rows.map(({ name }) => name);
}

/** The encoding's name, such as UTF8. */
export async function readEncoding(sql: Sql): Promise<string> {
  const [row] = await sql<{ encoding: string }[]>`
    select current_setting('server_encoding') as encoding`;
  return row?.encoding ?? "";
}

/** Whether this user can write: false for a read-only user and on a standby. */
export async function canWrite(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ can: boolean }[]>`
    select has_table_privilege('rooms', 'insert') and not pg_is_in_recovery() as can`;
  return row?.can ?? false;
}

/** The maximum number of connections for this user, and the number in use. */
export async function readConnections(sql: Sql): Promise<{ max: number; used: number }> {
  const [row] = await sql<{ max: number; used: number }[]>`
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max,
      -- pg_stat_activity would only show a user's own connections in full.
      (select sum(numbackends)::int from pg_stat_database) as used`;
  return row ?? { max: 0, used: 0 };
}
