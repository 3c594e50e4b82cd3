import { connect, type Database, type SqlClient, REQUEST_LIMITS, type Target } from "./connect.ts";

/** The pools of a running service. */
export type Pools = {
  /** For requests, and for jobs that take a moment. */
  database: Database;
  /** For jobs whose statements take long; no request waits behind them. */
  long: Database;
  close(): Promise<void>;
};

/**
 * Opens the pools of one process. One connection more is for LISTEN.
 * @param connections at most this many in all, LISTEN included: 5 or more
 */
export function openPools(target: Target, connections: number, limits = REQUEST_LIMITS): Pools {
  const database = connect(target, Math.floor((connections - 3) / 2), limits);
  const long = connect(target, 1);
  return {
    database,
    long,
    async close() {
      await Promise.all([database.close(), long.close()]);
    },
  };
}

/** How many connections PostgreSQL admits to this user, and how many are taken now. */
export async function readConnections(sql: SqlClient): Promise<{ max: number; used: number }> {
  const [row] = await sql<{ max: number; used: number }[]>`
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`;
  return row ?? { max: 0, used: 0 };
}
