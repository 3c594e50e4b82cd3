import { Keywords } from "./activity/keywords.ts";
import { createCookies } from "./authentication/cookies.ts";
import type { Authenticator } from "./authentication/guard.ts";
import { baseUrlOf, type Config } from "./config.ts";
import type { Limits } from "./database/connect.ts";
import type { Target } from "./database/target.ts";
import { Peers } from "./feed/peers.ts";
import { openPools } from "./database/pools.ts";
import { createMailer } from "./email/mailer.ts";
import { createEgress } from "./platform/egress/egress.ts";
import { createMetrics } from "./platform/metrics.ts";
import { loadSecretKey, type ReadKey } from "./platform/secrets/secrets.ts";
import { openStore } from "./platform/storage/open.ts";
import { createDiscovery } from "./providers/deps.ts";
import type { PushDeps } from "./push/notify.ts";
import { createPushQueue } from "./push/queue.ts";
import { PushServices } from "./push/services.ts";
import { createVapid } from "./push/vapid.ts";
import { SearchSlots } from "./search/search.ts";

export type ServiceOptions = {
  /** CA certificates to trust instead of the system's. */
  ca?: string;
  /** Timeouts of database queries in requests. */
  limits?: Limits;
  /** Time limit in seconds of REST calls, unless their route declares one; the response is then 503. */
  callSeconds?: number;
  providerMs?: number;
  pushMs?: number;
  /** After this time a stalled connection is closed. */
  idleSeconds?: number;
  /** Interval of comparing in-memory state with the database and of looking for due work. */
  sweepMs?: number;
  /** Interval of checking that notifications arrive. */
  pingMs?: number;
  /** How long a user counts as online after their last socket has closed. */
  presenceGraceMs?: number;
  /** Minimum time between two `member_updated` events of a room. */
  memberUpdateMs?: number;
  /** Minimum time between two checks for messages to index for search. */
  searchMs?: number;
  /** Maximum time between two checks for due jobs: a job queued for later does not notify runners. */
  pollSeconds?: number;
  /** Maximum number of pending requests to push services per message. */
  maxPendingPushes?: number;
};

/** The shared objects of a process: each route, socket and job takes those it names. */
export type Dependencies = ReturnType<typeof createDependencies>;

/** Does not start anything or read the database. */
export function createDependencies(
  config: Config,
  target: Target,
  { ca, limits, providerMs, pushMs, maxPendingPushes }: ServiceOptions,
) {
  const pools = openPools(target, config.databasePool, limits);
  const { database, long } = pools;
  const { db, sql } = database;
  const baseUrl = baseUrlOf(config);
  const { session, ...cookies } = createCookies(baseUrl);
  const authenticator: Authenticator = { sql, cookie: session, baseUrl };
  const readKey: ReadKey = () => loadSecretKey(config.dataDir, config.secretKey);
  const egress = createEgress({ allow: config.egressAllow, ca });
  const pushQueue = createPushQueue(sql);
  const pushDeps: PushDeps = {
    database,
    egress,
    queue: pushQueue,
    baseUrl,
    services: new PushServices(egress, pushMs),
    maxPending: maxPendingPushes,
    vapid: createVapid(db, readKey, { baseUrl, subject: config.vapidSubject }),
  };
  const keywords = new Keywords(sql);
  const metrics = createMetrics();
  const instance = Bun.randomUUIDv7();
  return {
    instance,
    peers: new Peers(instance),
    config,
    target,
    baseUrl,
    pools,
    database,
    long,
    authenticator,
    readKey,
    egress,
    keywords,
    pushQueue,
    pushing: pushDeps,
    ...cookies,
    discovery: createDiscovery(providerMs),
    store: openStore(config),
    mailer: createMailer(db, readKey, ca),
    metrics,
    searches: new SearchSlots(pools.search, metrics.searchSeconds),
  };
}
