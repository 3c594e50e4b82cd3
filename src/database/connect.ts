import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { type Host, listHosts, splitHosts } from "../config.ts";
import { createAnswerTimeout, type OnSocket } from "./answer-timeout.ts";
import { prepareStatements } from "./preparing.ts";
import { createPrimaryConnector } from "./primary.ts";
import { takeTls } from "./tls.ts";
import { isPooled, type Target } from "./target.ts";

export type Drizzle = PostgresJsDatabase;
/** For functions that make several changes atomically. */
export type Transaction = Parameters<Parameters<Drizzle["transaction"]>[0]>[0];
export type Query = Drizzle | Transaction;
/** The client for hand-written SQL: int8 is returned as a number, timestamptz as a Date. */
export type SqlClient = Sql<{ int8: number }>;
export type Fragment = postgres.Fragment;

export type Database = {
  /** Typed queries and transactions with drizzle. */
  db: Drizzle;
  /** Hand-written statements, prepared on first use, and LISTEN. */
  sql: SqlClient;
  close(): Promise<void>;
};

export type Limits = {
  statementSeconds: number;
  /** For one wait for a lock. */
  lockSeconds: number;
  /** PostgreSQL ends a transaction that is idle for this long, and releases its locks. */
  idleInTransactionSeconds: number;
  /** A connection without any byte for this long is replaced. Exceeds `statementSeconds`. */
  answerSeconds: number;
};

/** A stuck process loses its locks before those waiting for them time out. */
export const REQUEST_LIMITS: Limits = {
  statementSeconds: 8,
  lockSeconds: 5,
  idleInTransactionSeconds: 4,
  answerSeconds: 10,
};

/** For jobs and commands, which read and delete many rows at once. */
const LONG_LIMITS: Limits = {
  statementSeconds: 600,
  lockSeconds: 30,
  idleInTransactionSeconds: 60,
  answerSeconds: 630,
};

/** For searches, which abort themselves earlier. */
export const SEARCH_LIMITS: Limits = { ...REQUEST_LIMITS, statementSeconds: 2 };

/**
 * Opens two pools on one database: drizzle changes the serializers of its client, so hand-written SQL
 * needs a separate one.
 * @param connections maximum for each pool
 */
export function connectDatabase(target: Target, connections = 10, limits = LONG_LIMITS): Database {
  const onsocket = createAnswerTimeout(limits.answerSeconds);
  const int8 = { to: 20, from: [20], parse: Number, serialize: String };
  const sql = openClient(target, connections, {
    limits,
    onsocket,
    types: { int8 },
    settings: GENERIC_PLANS,
  }) as SqlClient;
  const drizzleClient = openClient(target, connections, { limits, onsocket });
  return {
    sql,
    db: drizzle({ client: prepareStatements(drizzleClient) }),
    async close() {
      await Promise.all([sql.end({ timeout: 5 }), drizzleClient.end({ timeout: 5 })]);
    },
  };
}

/**
 * Plans hand-written statements once per connection rather than for each execution. By default
 * PostgreSQL replans a statement with an array parameter each time, because it assumes ten elements
 * while there is usually one.
 */
const GENERIC_PLANS = {
  plan_cache_mode: "force_generic_plan",
  // A generic plan stays in use while tables grow. This cost makes the planner choose the index even
  // while a table is small, and matches the cost of a random read from an SSD.
  random_page_cost: "1.1",
  jit: "off",
};

type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;

type ClientOptions = {
  settings?: Record<string, string>;
  /** Null disables the limits. */
  limits?: Limits | null;
  types?: Record<string, postgres.PostgresType>;
  /** Shared by pools whose idle connections are closed together. */
  onsocket?: OnSocket;
};

export function openClient(target: Target, max: number, clientOptions: ClientOptions = {}): Sql {
  const { limits = LONG_LIMITS, types = {}, settings } = clientOptions;
  const onsocket =
    clientOptions.onsocket ?? (limits ? createAnswerTimeout(limits.answerSeconds) : undefined);
  const options = {
    max,
    types,
    // In seconds. While the database is down, callers get 503 instead of waiting.
    connect_timeout: 5,
    idle_timeout: 60,
    keep_alive: KEEPALIVE_SECONDS,
    // In seconds. Reconnects soon after a database restart, without flooding it during an outage.
    backoff: (attempt: number) => Math.min(0.02 * 2 ** attempt, 0.5),
    // Options of the patched driver. `slot_timeout`: how long to wait for a free slot, in seconds.
    slot_timeout: 5,
    onsocket,
    onnotice: () => {},
    connection: {
      application_name: "snug",
      ...KEEPALIVE,
      ...(limits && {
        statement_timeout: limits.statementSeconds * 1_000,
        lock_timeout: limits.lockSeconds * 1_000,
        idle_in_transaction_session_timeout: limits.idleInTransactionSeconds * 1_000,
      }),
      ...settings,
    },
  };
  if (typeof target !== "string" && !isPooled(target)) return postgres({ ...target, ...options });
  const { url: address, tls } = takeTls(isPooled(target) ? target.pooler : target);
  const withTls = {
    ...options,
    ...(tls && { ssl: tls }),
    // A pooler in transaction mode rejects session settings, so they must be set on the database.
    ...(isPooled(target) && {
      connection: { application_name: "snug" },
      prepare: target.prepares,
    }),
  };
  const hosts = listHosts(address);
  if (hosts.length > 1) return openPrimaryClient(address, hosts, withTls);
  const url = new URL(address);
  const folder = url.searchParams.get("host");
  if (!folder) return postgres(address, withTls);
  // libpq's parameter for a Unix socket, `?host=/run/postgresql`, which the driver does not support.
  url.searchParams.delete("host");
  return postgres(url.href, { ...options, host: folder });
}

function openPrimaryClient(url: string, hosts: Host[], options: DriverOptions): Sql {
  const [address = url] = splitHosts(url);
  const probeOptions = { ...options, max: 1, connect_timeout: 2, slot_timeout: 0 };
  const openProbe = (host: Host) => postgres(address, { ...probeOptions, ...host });
  const withSearch = { ...options, socket: createPrimaryConnector(hosts, openProbe) };
  // The driver's `read-write` accepts a standby, too.
  return postgres(address, { ...withSearch, target_session_attrs: "primary" });
}

/** Snug's connections to the database by state, of all instances. */
export async function countConnections(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ state: string; count: number }[]>`
    select coalesce(state, 'starting') as state, count(*)::int as count from pg_stat_activity
    where application_name = 'snug' and datname = current_database() group by 1`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const KEEPALIVE_SECONDS = 15;
export async function useDatabase<T>(
  target: Target,
  work: (database: Database) => Promise<T>,
  connections = 1,
): Promise<T> {
  const database = connectDatabase(target, connections);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** With these, PostgreSQL detects a dead client within half a minute and releases its locks. */
const KEEPALIVE = {
  tcp_keepalives_idle: KEEPALIVE_SECONDS,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 30_000,
};
