import {
  connectDatabase,
  type Database,
  REQUEST_LIMITS,
  SEARCH_LIMITS,
  type SqlClient,
} from "./connect.ts";
import type { Target } from "./target.ts";

type Pools = {
  /** For requests and short jobs. */
  database: Database;
  /** For jobs with long statements, so that requests do not wait for them. */
  long: Database;
  /** For searches, so that a slow search delays only other searches. */
  search: SqlClient;
  close(): Promise<void>;
};

const SEARCH_CONNECTIONS = 2;
/** With fewer connections in total, searches share the pool of long jobs. */
const MIN_FOR_SEARCH = 7;

/** @param connections maximum in total, including one for LISTEN: 5 or more */
export function openPools(target: Target, connections: number, limits = REQUEST_LIMITS): Pools {
  const forSearch = connections < MIN_FOR_SEARCH ? 0 : SEARCH_CONNECTIONS;
  const database = connectDatabase(target, Math.floor((connections - 3 - forSearch) / 2), limits);
  const long = connectDatabase(target, 1);
  // `connectDatabase` opens two clients; the unused one never connects.
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
