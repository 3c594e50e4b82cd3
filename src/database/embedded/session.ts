import postgres from "postgres";

import { SUPERUSER } from "./cluster.ts";
import { codeOf } from "./error.ts";
import { PORT, type Places } from "./places.ts";

export const DATABASE = "snug";

/** A connection that does nothing but show that the server lives. */
export type Session = {
  /** Settles when the connection is gone, for whatever reason. Never rejects. */
  closed: Promise<void>;
  close(): Promise<void>;
};

/**
 * Connects to the server and makes the database `snug` if it is missing.
 * @throws whatever postgres.js reports, with a `code`.
 */
export async function openSession(places: Places): Promise<Session> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const sql = postgres({
    host: places.socketDir,
    port: PORT,
    username: SUPERUSER,
    // Not in `snug` itself, which an operator may want to drop and restore.
    database: "postgres",
    connection: { application_name: "snug keeper" },
    max: 1,
    // It would hang up after an hour otherwise, which looks like a dead server.
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    // It connects again for a query only, and there is none after the first two.
    onclose: () => resolve(),
  });
  async function ensureDatabase(): Promise<void> {
    const found = await sql`select 1 from pg_database where datname = ${DATABASE}`;
    if (found.length === 0) await sql.unsafe(`create database ${DATABASE}`);
  }
  // postgres.js can lose a query that meets a dying connection: it would be waited for for ever.
  const cut = closed.then(() => {
    throw Object.assign(new Error("PostgreSQL hung up."), { code: "CONNECTION_CLOSED" });
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
