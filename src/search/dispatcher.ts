import type { SqlClient } from "../database/connect.ts";
import type { Peers } from "../feed/peers.ts";
import { insertJobs } from "../jobs-queue/statements.ts";
import { describeCause } from "../platform/cause.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import { findShardWork } from "./index-statements.ts";

const log = getLogger("search");

/** The shortest time between two checks, and so how old the index may become while people post. */
const INTERVAL_MS = 1_000;
/** The longest, so that a lost notification costs seconds. */
const SWEEP_MS = 5_000;

/** Up to this many entries of logs are indexed by one job; more are shared among instances. */
const MAX_AT_ONCE = 5_000;

/** Queues jobs for the shards of the rooms with messages that are not indexed yet. */
async function enqueueIndexing(sql: SqlClient): Promise<void> {
  const work = await findShardWork(sql);
  const behind = work.filter(({ lag }) => lag > 0).map(({ shard }) => shard);
  const lag = work.reduce((sum, one) => sum + one.lag, 0);
  const groups = lag > MAX_AT_ONCE ? behind.map((shard) => [shard]) : [behind];
  const forward = groups.filter((shards) => shards.length > 0);
  await insertJobs(
    sql,
    "search_index",
    forward.map((shards) => ({
      payload: { shards },
      key: lag > MAX_AT_ONCE ? `search_index:${shards}` : "search_index",
    })),
  );
  const unfilled = work.filter(({ is_unfilled }) => is_unfilled);
  await insertJobs(
    sql,
    "search_backfill",
    unfilled.map(({ shard }) => ({ payload: { shard }, key: `search_backfill:${shard}` })),
  );
}

/**
 * Checks for messages to index: when rooms' logs have grown, when a job of indexing has ended, and every
 * few seconds. Posting a message writes nothing for the index: the logs say it all. Of several
 * instances the oldest checks for all, and the others every few seconds, in case it has ended.
 */
export class SearchDispatcher {
  readonly #checks: Coalescer<"check">;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(
    sql: SqlClient,
    readonly peers: Pick<Peers, "isOldest">,
  ) {
    this.#checks = new Coalescer(
      async () => {
        try {
          await enqueueIndexing(sql);
        } catch (error) {
          const cause = { error: describeCause(error) };
          log.warn("Jobs for the search index could not be queued; retrying.", cause);
        }
      },
      { intervalMs: INTERVAL_MS },
    );
    this.#timer = setInterval(() => this.wake(), SWEEP_MS);
    this.wake();
  }

  /** Rooms' logs have grown. */
  noteGrowth(): void {
    if (this.peers.isOldest) this.wake();
  }

  /** Checks soon: there may be messages to index. */
  wake(): void {
    this.#checks.add("check");
  }

  /** Waits for a check that is under way. */
  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.#checks.stop();
  }
}
