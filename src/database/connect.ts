import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Options, type Sql } from "postgres";
import * as schema from "./schema.ts";

/** A URL, or the options of the embedded server. */
export type Target = string | Options<Record<string, never>>;

export type Drizzle = PostgresJsDatabase<typeof schema>;
/** What a verb gets that must do several things or none. */
export type Transaction = Parameters<Parameters<Drizzle["transaction"]>[0]>[0];
export type Query = Drizzle | Transaction;
/** The client for hand-written SQL: int8 arrives as a number, timestamptz as a Date. */
export type HandSql = Sql<{ int8: number }>;
/** A part of a hand-written statement. */
export type Fragment = postgres.Fragment;

export type Database = {
  /** Typed queries and transactions. */
  db: Drizzle;
  /** Hand-written statements of the hot path, prepared on first use, and LISTEN. */
  sql: HandSql;
  close(): Promise<void>;
};

/**
 * Opens two pools on one database: drizzle changes the serializers of the client it is given, so
 * hand-written SQL has a client of its own.
 * @param target where PostgreSQL is
 * @param connections at most this many in each pool
 */
export function connect(target: Target, connections = 10): Database {
  const sql = client(target, connections, {
    int8: { to: 20, from: [20], parse: Number, serialize: String },
  }) as HandSql;
  const drizzleClient = client(target, connections);
  return {
    sql,
    db: drizzle(drizzleClient, { schema }),
    async close() {
      await Promise.all([sql.end({ timeout: 5 }), drizzleClient.end({ timeout: 5 })]);
    },
  };
}

/** A bare client of the driver. */
export function client(target: Target, max: number, types = {}): Sql {
  const options = {
    max,
    types,
    // Seconds: a caller hears 503 rather than nothing while the database is away.
    connect_timeout: 5,
    idle_timeout: 60,
    // Seconds: back soon after a restart of the database, without a storm while it is away.
    backoff: (attempt: number) => Math.min(0.02 * 2 ** attempt, 0.5),
    onnotice: () => {},
    connection: { application_name: "snug" },
  };
  if (typeof target !== "string") return postgres({ ...target, ...options });
  const url = new URL(target);
  const folder = url.searchParams.get("host");
  if (!folder) return postgres(target, options);
  // libpq's way to name a unix socket, `?host=/run/postgresql`, which the driver does not know.
  url.searchParams.delete("host");
  return postgres(url.href, { ...options, host: folder });
}
