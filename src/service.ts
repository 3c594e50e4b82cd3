import { sessionCookie } from "./accounts/cookie.ts";
import type { Identifier } from "./accounts/identify.ts";
import { createJobs } from "../jobs/list.ts";
import { baseUrlOf, type Config } from "./config.ts";
import {
  client,
  type SqlClient,
  type Limits,
  REQUEST_LIMITS,
  type Target,
} from "./database/connect.ts";
import { openPools } from "./database/pools.ts";
import { createMailer } from "./email/mailer.ts";
import { Feed } from "./feed/feed.ts";
import { listenToDatabase } from "./feed/listen.ts";
import { MemberUpdates } from "./feed/member-updates.ts";
import { createApp } from "./http/app.ts";
import { startServer } from "./http/serve.ts";
import { bundleSpa } from "./http/spa.ts";
import { readEvents } from "./messages/events.ts";
import { Runner } from "./jobs-queue/runner.ts";
import { startSchedule } from "./jobs-queue/schedule.ts";
import { createPoster } from "./messages/post.ts";
import { watch } from "./metrics.ts";
import { describeCause } from "./platform/cause.ts";
import { createEgress } from "./platform/egress/egress.ts";
import { getLogger } from "./platform/log.ts";
import { createMetrics } from "./platform/metrics.ts";
import { loadSecretKey } from "./platform/secrets.ts";
import { waitAtMost } from "./platform/wait.ts";
import { openStore } from "./platform/storage/open.ts";
import { Presence } from "./presence/presence.ts";
import type { PushDeps } from "./push/notify.ts";
import { createPushQueue } from "./push/queue.ts";
import { PushServices } from "./push/services.ts";
import { createVapid } from "./push/vapid.ts";
import { readPositions } from "./rooms/read.ts";
import type { SocketDeps } from "./socket/hub.ts";
import { Hub } from "./socket/hub.ts";
import { handleSignal } from "./socket/signals.ts";
import { createSocketHandler } from "./socket/sockets.ts";
import { startSweeps } from "./socket/sweep.ts";
import { Dispatcher } from "./webhooks/outgoing/dispatcher.ts";
import { CLOSE_RESTART } from "./wire/limits.ts";

const log = getLogger("service");
/** How often what this process holds is compared with the database; in full, each so many times. */
const SWEEP_MS = 5_000;
const FULL_SWEEP_EVERY = 12;
const DRAIN_MS = 10_000;
/** For so long jobs may go on after a stop was asked for. */
const JOBS_GRACE_MS = 500;

export type Service = {
  /** Where it listens: `http://<host>:<port>`. */
  address: string;
  /** The origin that people use. */
  baseUrl: string;
  /** Says 503 to what is new, closes sockets with 1012, lets what is in flight finish: 10 s at most. */
  stop(): Promise<void>;
};

/**
 * Composes the house on a migrated database and opens the door.
 * @param outside `ca`: certificates of authorities to trust instead of the system's; `limits`: how
 * long requests wait for the database; `idleSeconds`: when a stalled connection is cut; `sweepMs`:
 * how often what this process holds is compared with the database
 */
export async function startService(
  config: Config,
  target: Target,
  outside: { ca?: string; limits?: Limits; idleSeconds?: number; sweepMs?: number } = {},
): Promise<Service> {
  const instance = Bun.randomUUIDv7();
  const pools = openPools(target, config.databasePool, outside.limits);
  const { database, long } = pools;
  const { sql } = database;
  const baseUrl = baseUrlOf(config);
  const identifier: Identifier = { sql, cookie: sessionCookie(baseUrl), baseUrl };

  const metrics = createMetrics();
  const presence = new Presence(sql, instance);
  const hub: Hub = new Hub(() => feed, metrics, presence);
  const feed = new Feed(
    {
      readEvents: (spans, limit) => readEvents(database, spans, limit),
      readPositions: (roomIds) => readPositions(database.db, roomIds),
    },
    hub,
  );
  const store = openStore(config);
  const egress = createEgress({ allow: config.egressAllow, ca: outside.ca });
  const readKey = () => loadSecretKey(config.dataDir, config.secretKey);
  const mailer = createMailer(database.db, readKey, baseUrl, outside.ca);
  const queue = createPushQueue(sql);
  const pushing: PushDeps = {
    ...{ database, egress, queue },
    services: new PushServices(egress),
    vapid: createVapid(database.db, readKey, baseUrl),
  };
  const poster = createPoster(sql, instance, feed, metrics, queue.add);
  const updates = new MemberUpdates(database.db, (room_id, user_ids) =>
    hub.broadcastToRoom({ type: "member_updated", room_id, user_ids }),
  );
  const deps: SocketDeps = { database, feed, hub, poster };

  let draining = false;
  const isDraining = () => draining;
  const { metricsToken } = config;
  const app = createApp({
    database,
    identifier,
    store,
    poster,
    egress,
    readKey,
    mailer,
    pushing,
    baseUrl,
    metrics,
    metricsToken,
    isDraining,
  });
  watch(metrics, sql, hub, feed);
  const spa = await bundleSpa(config.reloadPages);
  await presence.start();

  const complain = (what: string) => (error: unknown) =>
    log.warn(what, { error: describeCause(error) });
  const dispatcher = new Dispatcher(sql);
  const jobs = createJobs({ database, long, egress, store, mailer, pushing, readKey, baseUrl });
  const runner = new Runner({
    database,
    runner: instance,
    jobs,
    onAttempt(kind, outcome, ms) {
      metrics.jobSeconds.observe({ kind, outcome }, ms / 1_000);
      // Its place is free for another webhook.
      if (kind === "webhook_events") dispatcher.wake();
    },
  });
  const sweeps = startSweeps(deps, outside.sweepMs ?? SWEEP_MS, FULL_SWEEP_EVERY);
  const stopListening = await listenToDatabase({
    openClient: () => client(target, 1, { limits: REQUEST_LIMITS }) as SqlClient,
    sql,
    instance,
    listener: {
      onHint: ({ roomId, seq }) => feed.noteGrowth(roomId, seq),
      onSignal: (signal) =>
        void handleSignal(deps, updates, signal).catch(complain("A signal could not be handled.")),
      onGrowth: () => dispatcher.wake(),
      onJob: () => runner.wake(),
      onListening: () => {
        runner.wake();
        dispatcher.wake();
        sweeps.now();
      },
    },
  });
  runner.start();
  const stopCleaning = store.incoming.keepClean();
  const stopSchedule = startSchedule(database.db, jobs);
  const server = startServer({
    ...config,
    app,
    spa,
    identifier,
    metrics,
    idleSeconds: outside.idleSeconds,
    websocket: createSocketHandler(deps, presence, instance),
    isDraining,
  });
  hub.attach(server);

  return {
    address: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${server.port}`,
    baseUrl: config.baseUrl ?? `http://localhost:${server.port}`,
    async stop() {
      draining = true;
      sweeps.stop();
      stopCleaning();
      // What is not done in a moment is given back, and another process does it.
      const jobsDone = Promise.all([
        stopSchedule(),
        dispatcher.stop(),
        runner.stop(JOBS_GRACE_MS),
      ]).catch(complain("The jobs could not be given back."));
      // What waits to be written is acknowledged before its sockets close.
      await waitAtMost(1_000, poster.idle().then(queue.idle));
      hub.closeAllSockets(CLOSE_RESTART, "restarting");
      const deadline = Date.now() + DRAIN_MS;
      while (server.pendingRequests > 0 && Date.now() < deadline) await Bun.sleep(10);
      await server.stop(true);
      updates.stop();
      metrics.stop();
      await waitAtMost(Math.max(0, deadline - Date.now()), jobsDone);
      await presence.stop().catch(complain("Presence could not be cleared."));
      await stopListening().catch(() => {});
      await pools.close();
    },
  };
}
