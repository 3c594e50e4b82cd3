import postgres from "postgres";
import { SUPERUSER } from "./cluster.ts";
import { codeOf } from "./error.ts";
import { type Paths, PORT } from "./paths.ts";

export const DATABASE = "snug";

/** An idle connection whose end shows that the server has stopped. */
export type Session = {
  /** Resolves when the connection has ended for any reason. Never rejects. */
  closing: Promise<void>;
  close(): Promise<void>;
};

/** Also creates the database `snug`. @throws errors of postgres.js, with a `code` */
export async function openSession(paths: Paths): Promise<Session> {
  const { promise: closing, resolve } = Promise.withResolvers<void>();
  const sql = postgres({
    host: paths.socketDir,
    port: PORT,
    username: SUPERUSER,
    // Not to `snug`, which an operator may want to drop and restore.
    database: "postgres",
    connection: { application_name: "snug keeper" },
    max: 1,
    // By default postgres.js closes a connection after an hour, which would look like a dead server.
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    // postgres.js reconnects only for a query, and there is none after the first two.
    onclose: () => resolve(),
  });
  async function ensureDatabase(): Promise<void> {
    const rows = await sql`select 1 from pg_database where datname = ${DATABASE}`;
    if (rows.length === 0) await sql`create database ${sql(DATABASE)}`;
  }
  // postgres.js can lose a query on a connection that dies: its promise would never settle.
  const connectionLost = closing.then(() => {
    throw Object.assign(new Error("PostgreSQL closed the connection."), {
      code: "CONNECTION_CLOSED",
    });
  });
  try {
    await Promise.race([ensureDatabase(), connectionLost]);
  } catch (error) {
    await sql.end({ timeout: 0 }).catch(() => {});
    throw error;
  }
  return { closing, close: () => sql.end({ timeout: 1 }).catch(() => {}) };
}

/** Classifies the error of a failed `openSession`. */
export function whyNot(error: unknown): "nobody listens" | "not yet" | "refused" {
  const code = codeOf(error);
  if (["ENOENT", "ECONNREFUSED"].includes(code)) return "nobody listens";
  // The server is starting, stopping, or out of connection slots.
  const temporary = /^(57P0\d|53300|CONNECT|ECONNRESET$|EPIPE$)/;
  return temporary.test(code) ? "not yet" : "refused";
}
