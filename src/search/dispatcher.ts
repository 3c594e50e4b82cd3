import type { Database } from "../database/connect.ts";
import { Dispatcher, type DispatcherOptions } from "../jobs-queue/dispatcher.ts";
import { enqueueJobs, type NewJob } from "../jobs-queue/enqueue.ts";
import { findShardWork } from "./index-rooms.ts";

/** Minimum time between two checks, which bounds how far the index lags behind. */
const INTERVAL_MS = 1_000;

/** Up to this many log entries are indexed by one job; more are divided among several jobs. */
const MAX_AT_ONCE = 5_000;

/**
 * Queues indexing jobs for the shards that have messages to index.
 * @returns null, because only new log entries create more work
 */
async function enqueueIndexing({ db, sql }: Database): Promise<null> {
  const work = await findShardWork(sql);
  const behind = work.filter(({ lag }) => lag > 0).map(({ shard }) => shard);
  const lag = work.reduce((sum, shard) => sum + shard.lag, 0);
  const groups = lag > MAX_AT_ONCE ? behind.map((shard) => [shard]) : [behind];
  const forward = groups
    .filter((shards) => shards.length > 0)
    .map((shards): NewJob<"search_index"> => ({
      kind: "search_index",
      payload: { shards },
      key: lag > MAX_AT_ONCE ? `search_index:${shards}` : "search_index",
    }));
  const backfill = work
    .filter(({ is_unfilled }) => is_unfilled)
    .map(({ shard }): NewJob<"search_backfill"> => ({
      kind: "search_backfill",
      payload: { shard },
      key: `search_backfill:${shard}`,
    }));
  await enqueueJobs(db, forward);
  await enqueueJobs(db, backfill);
  return null;
}

export function createSearchDispatcher(
  database: Database,
  peers: DispatcherOptions["peers"],
  { sweepMs, searchMs = INTERVAL_MS }: { sweepMs?: number; searchMs?: number },
): Dispatcher {
  return new Dispatcher({
    name: "search",
    peers,
    enqueueDue: () => enqueueIndexing(database),
    minIntervalMs: searchMs,
    sweepMs,
  });
}
