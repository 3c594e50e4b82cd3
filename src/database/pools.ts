import { connect, type Database, REQUEST_LIMITS, type Target } from "./connect.ts";

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
