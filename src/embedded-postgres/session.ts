import postgres from "postgres";
import type { Sql } from "postgres";
import { SUPERUSER } from "./cluster.ts";
import { codeOf } from "./error.ts";
import { type Paths, PORT } from "./paths.ts";

export const DATABASE = "snug";

/** An idle connection that shows whether the server lives. */
export type Session = {
  /** Settles when the connection is gone, for whatever reason. Never rejects. */
  closed: Promise<void>;
  close(): Promise<void>;
};

/**
 * Connects to the server and makes the database `snug` if it is missing.
 * @throws whatever postgres.js reports, with a `code`.
 */
export async function openSession(paths: Paths): Promise<Session> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const sql = postgres({
    host: paths.socketDir,
    port: PORT,
    username: SUPERUSER,
    // Not in `snug` itself, which an operator may want to drop and restore.
    database: "postgres",
    connection: { application_name: "snug keeper" },
    max: 1,
    // Otherwise it closes after an hour, which looks like a dead server.
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    // It reconnects only for a query, and none follows the first two.
    onclose: () => resolve(),
  });
  async function ensureDatabase(): Promise<void> {
    if (!(await hasDatabase(sql, DATABASE))) await createDatabase(sql, DATABASE);
  }
  // postgres.js can lose a query on a connection that dies: its promise would never settle.
  const cut = closed.then(() => {
    throw Object.assign(new Error("PostgreSQL closed the connection."), {
      code: "CONNECTION_CLOSED",
    });
  });
  try {
    await Promise.race([ensureDatabase(), cut]);
  } catch (error) {
    await sql.end({ timeout: 0 }).catch(() => {});
    throw error;
  }
  return { closed, close: () => sql.end({ timeout: 1 }).catch(() => {}) };
}

/** What a failed openSession says about the server. */
export function whyNot(error: unknown): "nobody listens" | "not yet" | "refused" {
  const code = codeOf(error);
  if (["ENOENT", "ECONNREFUSED"].includes(code)) return "nobody listens";
  // Starting or stopping; a connection cut while it does; every place taken for a moment.
  const passing = /^(57P0\d|53300|CONNECT|ECONNRESET$|EPIPE$)/;
  return passing.test(code) ? "not yet" : "refused";
}

/* Hand-written SQL: these run before the database exists that drizzle knows. */

/** Whether the server has a database of this name. */
export async function hasDatabase(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql`select 1 from pg_database where datname = ${name}`;
  return rows.length > 0;
}

/** Creates a database. @throws PostgreSQL's error if it exists */
export async function createDatabase(sql: Sql, name: string): Promise<void> {
  await sql`create database ${sql(name)}`;
}
