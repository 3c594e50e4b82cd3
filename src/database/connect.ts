import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { getLogger } from "../platform/log.ts";
import { hasManyHosts } from "../config.ts";
import { preparing } from "./preparing.ts";
import { takeTls } from "./tls.ts";
import { isPooled, type Target } from "./target.ts";

const log = getLogger("database");

export type Drizzle = PostgresJsDatabase;
/** For functions that make several changes, all or none. */
export type Transaction = Parameters<Parameters<Drizzle["transaction"]>[0]>[0];
export type Query = Drizzle | Transaction;
/** The client for hand-written SQL: int8 arrives as a number, timestamptz as a Date. */
export type SqlClient = Sql<{ int8: number }>;
/** A part of a hand-written statement. */
export type Fragment = postgres.Fragment;

export type Database = {
  /** Typed queries and transactions. */
  db: Drizzle;
  /** Hand-written statements of the hot path, prepared on first use, and LISTEN. */
  sql: SqlClient;
  close(): Promise<void>;
};

/** How long PostgreSQL and the network may take before a query fails. */
export type Limits = {
  /** One statement, waits for locks included. */
  statementSeconds: number;
  /** One wait for a lock. */
  lockSeconds: number;
  /** A transaction between two statements, after which PostgreSQL ends it and releases its locks. */
  idleInTransactionSeconds: number;
  /** Without a byte from PostgreSQL the connection is dead and gets replaced. Longer than a statement. */
  answerSeconds: number;
};

/**
 * For requests. A process that is stopped inside a transaction loses its locks before others stop
 * waiting for them.
 */
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

/** For searches, which end by themselves before that. */
export const SEARCH_LIMITS: Limits = { ...REQUEST_LIMITS, statementSeconds: 2 };

/**
 * Opens two pools on one database: drizzle changes the serializers of the client it is given, so
 * hand-written SQL has a client of its own.
 * @param target where PostgreSQL is
 * @param connections at most this many in each pool
 */
export function connectDatabase(target: Target, connections = 10, limits = LONG_LIMITS): Database {
  // If one connection is dead, the idle ones of both pools probably are, too.
  const onsilent = () => {
    log.warn("A database connection went silent; replacing it and the idle ones.");
    for (const pool of [sql, drizzleClient]) (pool as Sql & Patched).dropIdle();
  };
  const int8 = { to: 20, from: [20], parse: Number, serialize: String };
  const sql = openClient(target, connections, {
    limits,
    onsilent,
    types: { int8 },
    settings: GENERIC_PLANS,
  }) as SqlClient;
  const drizzleClient = openClient(target, connections, { limits, onsilent });
  return {
    sql,
    db: drizzle({ client: preparing(drizzleClient) }),
    async close() {
      await Promise.all([sql.end({ timeout: 5 }), drizzleClient.end({ timeout: 5 })]);
    },
  };
}

/** A function of the patched driver: it closes the idle connections of the pool. */
type Patched = { dropIdle(): void };

/**
 * Hand-written statements are planned once per connection, not for each execution. By itself PostgreSQL
 * plans one with a list of keys at each execution, because it expects ten keys and there is mostly one.
 */
const GENERIC_PLANS = {
  plan_cache_mode: "force_generic_plan",
  // A plan stays while the tables grow: this cost makes the planner choose the index even where a
  // table is still small. It is also what a random page costs on today's disks.
  random_page_cost: "1.1",
  jit: "off",
};

type ClientOptions = {
  /** Settings of PostgreSQL for each connection. */
  settings?: Record<string, string>;
  /** Null for no limits. */
  limits?: Limits | null;
  types?: Record<string, postgres.PostgresType>;
  /** A connection was closed because nothing arrived. */
  onsilent?(): void;
};

/** A bare client of the driver. */
export function openClient(target: Target, max: number, more: ClientOptions = {}): Sql {
  const { limits = LONG_LIMITS, types = {}, settings, onsilent } = more;
  const options = {
    max,
    types,
    // Seconds: while the database is away, callers get 503 rather than no response.
    connect_timeout: 5,
    idle_timeout: 60,
    keep_alive: KEEPALIVE_SECONDS,
    // Seconds: reconnects soon after a restart of the database, without a storm while it is away.
    backoff: (attempt: number) => Math.min(0.02 * 2 ** attempt, 0.5),
    // Options of the patched driver, in seconds: `slot_timeout` is how long a query waits while
    // PostgreSQL has no connection slots left.
    answer_timeout: limits?.answerSeconds,
    slot_timeout: 5,
    onsilent,
    onnotice: () => {},
    connection: {
      application_name: "snug",
      ...KEEPALIVE,
      ...(limits && settingsOf(limits)),
      ...settings,
    },
  };
  if (isPooled(target)) {
    // A pooler refuses settings of a session, since others use it next: the database has its own.
    const connection = { application_name: "snug" };
    const { url, tls } = takeTls(target.pooler);
    const encrypted = { ...options, ...(tls && { ssl: tls }) };
    return postgres(url, { ...encrypted, connection, prepare: target.prepares });
  }
  if (typeof target !== "string") return postgres({ ...target, ...options });
  const { url: address, tls } = takeTls(target);
  const encrypted = { ...options, ...(tls && { ssl: tls }) };
  if (hasManyHosts(address)) {
    // The driver's `read-write` takes a standby, too.
    return postgres(address, { ...encrypted, target_session_attrs: "primary" });
  }
  const url = new URL(address);
  const folder = url.searchParams.get("host");
  if (!folder) return postgres(address, encrypted);
  // libpq's parameter for a unix socket, `?host=/run/postgresql`, which the driver does not support.
  url.searchParams.delete("host");
  return postgres(url.href, { ...options, host: folder });
}

const KEEPALIVE_SECONDS = 15;
/** PostgreSQL detects within half a minute that a client is gone, and releases its locks. */
const KEEPALIVE = {
  tcp_keepalives_idle: KEEPALIVE_SECONDS,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 30_000,
};

/** Settings of PostgreSQL, in milliseconds. */
function settingsOf({ statementSeconds, lockSeconds, idleInTransactionSeconds }: Limits) {
  return {
    statement_timeout: statementSeconds * 1_000,
    lock_timeout: lockSeconds * 1_000,
    idle_in_transaction_session_timeout: idleInTransactionSeconds * 1_000,
  };
}
