import {
  connectDatabase,
  type Database,
  REQUEST_LIMITS,
  SEARCH_LIMITS,
  type SqlClient,
} from "./connect.ts";
import type { Target } from "./target.ts";

/** The pools of a running service. */
type Pools = {
  /** For requests, and for jobs that take a moment. */
  database: Database;
  /** For jobs whose statements take long; no request waits behind them. */
  long: Database;
  /** For searches: a slow one delays other searches alone. */
  search: SqlClient;
  close(): Promise<void>;
};

const SEARCH_CONNECTIONS = 2;
/** With fewer connections in all, searches share those of long jobs. */
const MIN_FOR_SEARCH = 7;

/**
 * Opens the pools of one process. One connection more is for LISTEN.
 * @param connections at most this many in all, LISTEN included: 5 or more
 */
export function openPools(target: Target, connections: number, limits = REQUEST_LIMITS): Pools {
  const forSearch = connections < MIN_FOR_SEARCH ? 0 : SEARCH_CONNECTIONS;
  const database = connectDatabase(target, Math.floor((connections - 3 - forSearch) / 2), limits);
  const long = connectDatabase(target, 1);
  // `connectDatabase` opens two clients; the other one is not used and connects to nothing.
  const search = forSearch === 0 ? long : connectDatabase(target, forSearch, SEARCH_LIMITS);
  return {
    database,
    long,
    search: search.sql,
    async close() {
      await Promise.all([database.close(), long.close(), search.close()]);
    },
  };
}
