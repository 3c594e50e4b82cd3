/* Hand-written SQL: these run before the database exists that drizzle knows. */
import type { Sql } from "postgres";

/** Whether the server has a database of this name. */
export async function hasDatabase(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql`select 1 from pg_database where datname = ${name}`;
  return rows.length > 0;
}

/** Creates a database. @throws PostgreSQL's error if it exists */
export async function createDatabase(sql: Sql, name: string): Promise<void> {
  await sql`create database ${sql(name)}`;
}
