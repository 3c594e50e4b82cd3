import { createJobs } from "../jobs/list.ts";
import { openClient, REQUEST_LIMITS, type SqlClient } from "./database/connect.ts";
import { directOf } from "./database/target.ts";
import { type Listener, listenToDatabase } from "./feed/listen.ts";
import type { MemberUpdates } from "./feed/member-updates.ts";
import { Runner } from "./jobs-queue/runner.ts";
import { startSchedule } from "./jobs-queue/schedule.ts";
import type { Dependencies, ServiceOptions } from "./dependencies.ts";
import { describeCause, getLogger } from "./platform/log.ts";
import { createSearchDispatcher } from "./search/dispatcher.ts";
import type { SocketDeps } from "./socket/deps.ts";
import { handleSignal } from "./socket/signals.ts";
import { greetAgain } from "./socket/sockets.ts";
import { startSweeps, type Sweeps } from "./socket/sweep.ts";
import { createWebhookDispatcher } from "./webhooks/outgoing/deliver.ts";

const log = getLogger("service");
/** Interval of comparing memory with the database; every twelfth comparison is complete. */
const SWEEP_MS = 5_000;
const FULL_SWEEP_EVERY = 12;
/** How long running jobs may continue after a stop is requested. */
const JOBS_GRACE_MS = 500;

export type Background = {
  /** Stops sweeps and the cleanup of uploads. Jobs that do not finish soon return to the queue. */
  stopWork(): Promise<void>;
  /** Stops LISTEN and the feed, which deliver new events to the sockets. */
  stopListening(): Promise<void>;
};

/**
 * Starts the background work: jobs and their schedule, webhook deliveries, sweeps, and LISTEN, whose
 * notifications wake all of these and the feed.
 */
export async function startBackground(
  deps: Dependencies,
  sockets: SocketDeps,
  memberUpdates: MemberUpdates,
  { sweepMs = SWEEP_MS, pingMs, searchMs, pollSeconds }: ServiceOptions,
): Promise<Background> {
  const { database, instance, metrics, peers, store, target } = deps;
  const webhooks = createWebhookDispatcher(database, peers, sweepMs);
  const searchIndex = createSearchDispatcher(database, peers, { sweepMs, searchMs });
  const jobs = createJobs({ ...deps, poster: sockets.poster });
  const runner = new Runner({
    database,
    runner: instance,
    jobs,
    pollSeconds,
    onAttempt(kind, outcome, ms) {
      metrics.jobSeconds.observe({ kind, outcome }, ms / 1_000);
      // The free slot may go to a waiting webhook.
      if (kind === "webhook_events") webhooks.wake();
      if (kind === "search_index" || kind === "search_backfill") searchIndex.wake();
    },
  });
  const sweeps = startSweeps(sockets, sweepMs, FULL_SWEEP_EVERY);
  const stopListening = await listenToDatabase({
    openClient: () => openClient(directOf(target), 1, { limits: REQUEST_LIMITS }) as SqlClient,
    sql: database.sql,
    instance,
    pingMs,
    listener: {
      ...createSocketListener(sockets, memberUpdates, sweeps),
      onPeer: (id) => peers.note(id),
      onJob: () => runner.wake(),
      onGrowth() {
        webhooks.onGrowth();
        searchIndex.onGrowth();
      },
      // Notifications may have been missed before this point.
      onListening() {
        runner.wake();
        webhooks.wake();
        sockets.keywords.forget();
        searchIndex.wake();
        sweeps.now();
        greetAgain(sockets, instance);
      },
    },
  });
  runner.start();
  const stopUploadSweeps = store.incoming.startSweeping();
  const stopSchedule = startSchedule(database.db, jobs);
  return {
    async stopWork() {
      sweeps.stop();
      stopUploadSweeps();
      await Promise.all([
        stopSchedule(),
        webhooks.stop(),
        searchIndex.stop(),
        runner.stop(JOBS_GRACE_MS),
      ]).catch((error) =>
        log.warn("Jobs could not be returned to the queue; their leases will expire.", {
          error: describeCause(error),
        }),
      );
    },
    stopListening: () => stopListening().catch(() => {}),
  };
}

/** Handles the notifications about rooms and people, for the sockets of this instance. */
function createSocketListener(
  sockets: SocketDeps,
  memberUpdates: MemberUpdates,
  sweeps: Sweeps,
): Pick<Listener, "onHint" | "onSignal" | "onSilence" | "onSilenceEnd"> {
  return {
    onHint: ({ roomId, seq, kind }) => sockets.feed.onGrowth(roomId, seq, kind),
    onSignal: (signal) =>
      void handleSignal(sockets, memberUpdates, signal).catch((error) =>
        log.warn("A notification could not be handled.", { error: describeCause(error) }),
      ),
    // Without notifications only a sweep detects lost permissions, so events wait for its check.
    onSilence() {
      sockets.feed.pause();
      sweeps.soon();
    },
    onSilenceEnd() {
      sockets.feed.resume();
      sweeps.now();
    },
  };
}
