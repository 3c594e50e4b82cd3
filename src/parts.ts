import { Keywords } from "./activity/keywords.ts";
import {
  browserCookie,
  challengeCookie,
  flowCookie,
  sessionCookie,
} from "./authentication/cookies.ts";
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
  /** Certificates of authorities to trust instead of the system's. */
  ca?: string;
  /** How long requests wait for the database. */
  limits?: Limits;
  /** Seconds after which a REST call is answered 503, unless its route says otherwise. */
  callSeconds?: number;
  /** How long a provider of identities may take to answer. */
  providerMs?: number;
  /** When a stalled connection is cut. */
  idleSeconds?: number;
  /** How often what this process holds is compared with the database, and work that is due is looked for. */
  sweepMs?: number;
  /** How often it is checked that notifications arrive. */
  pingMs?: number;
  /** How long someone whose last socket has closed counts as online. */
  presenceGraceMs?: number;
  /** The shortest time between two `member_updated` of a room. */
  memberUpdateMs?: number;
  /** The shortest time between two checks for messages that search does not have yet. */
  searchMs?: number;
};

/** What routes, sockets and jobs work with; each takes what it names, a setting from `config`. */
export type Parts = ReturnType<typeof createParts>;

/** Creates what a process has one of. Nothing runs yet, and nothing is read. */
export function createParts(
  config: Config,
  target: Target,
  { ca, limits, providerMs }: ServiceOptions,
) {
  const pools = openPools(target, config.databasePool, limits);
  const { database, long } = pools;
  const { db, sql } = database;
  const baseUrl = baseUrlOf(config);
  const authenticator: Authenticator = { sql, cookie: sessionCookie(baseUrl), baseUrl };
  const readKey: ReadKey = () => loadSecretKey(config.dataDir, config.secretKey);
  const egress = createEgress({ allow: config.egressAllow, ca });
  const pushQueue = createPushQueue(sql);
  const pushing: PushDeps = {
    database,
    egress,
    queue: pushQueue,
    baseUrl,
    services: new PushServices(egress),
    vapid: createVapid(db, readKey, { baseUrl, subject: config.vapidSubject }),
  };
  const keywords = new Keywords(sql);
  const metrics = createMetrics();
  const instance = Bun.randomUUIDv7();
  return {
    /** The id of this process among the instances of the service. */
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
    pushing,
    /** The cookie of a sign-in that waits for its second factor. */
    challenge: challengeCookie(baseUrl),
    browser: browserCookie(baseUrl),
    /** The cookie of a browser while its user signs in at a provider. */
    flow: flowCookie(baseUrl),
    discovery: createDiscovery(providerMs),
    store: openStore(config),
    mailer: createMailer(db, readKey, ca),
    metrics,
    searches: new SearchSlots(pools.search, metrics.searchSeconds),
  };
}
