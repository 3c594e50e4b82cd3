import { readPeople } from "./users/directory.ts";
import { startBackground } from "./background.ts";
import type { Config } from "./config.ts";
import type { Target } from "./database/target.ts";
import { Feed } from "./feed/feed.ts";
import { MemberUpdates } from "./feed/member-updates.ts";
import { createApp } from "./http/app.ts";
import { listen, type Listener } from "./http/listen.ts";
import { serve } from "./http/serve.ts";
import { bundleSpa } from "./http/spa.ts";
import { readEvents } from "./messages/events.ts";
import { createPoster } from "./messages/post.ts";
import { registerGauges } from "./metrics.ts";
import { createDependencies, type Dependencies, type ServiceOptions } from "./dependencies.ts";
import { describeCause, getLogger } from "./platform/log.ts";
import { waitAtMost } from "./platform/concurrency/timeout.ts";
import { Presence } from "./presence/presence.ts";
import { saveEnvironmentProvider } from "./providers/settings.ts";
import { readPositions } from "./rooms/read.ts";
import { Conversations } from "./socket/conversations.ts";
import { ConnectionRegistry } from "./socket/connection-registry.ts";
import type { SocketDeps } from "./socket/deps.ts";
import { Broadcaster } from "./socket/broadcaster.ts";
import type { Person } from "./socket/socket.ts";
import { createSocketHandler } from "./socket/sockets.ts";
import { CLOSE_RESTART } from "./wire/limits.ts";

const log = getLogger("service");
/** How long a stop waits for requests in flight and for messages being written. */
const DRAIN_MS = 10_000;
const WRITE_MS = 1_000;

export type Service = {
  /** The listening address: `http://<host>:<port>`. */
  address: string;
  baseUrl: string;
  /** Responds to new requests with 503, closes sockets with 1012, and waits at most 10 s for the rest. */
  stop(): Promise<void>;
};

/** @param listener a bound port, which is closed if the start fails */
export async function startService(
  config: Config,
  target: Target,
  options: ServiceOptions = {},
  listener: Listener = listen({ ...config, idleSeconds: options.idleSeconds }),
): Promise<Service> {
  try {
    return await compose(config, target, options, listener);
  } catch (error) {
    await listener.stop(true);
    throw error;
  }
}

async function compose(
  config: Config,
  target: Target,
  options: ServiceOptions,
  server: Listener,
): Promise<Service> {
  const deps = createDependencies(config, target, options);
  const { database, authenticator, instance, metrics, pushQueue } = deps;
  const { db, sql } = database;
  await saveEnvironmentProvider(db, deps.readKey, config.oidc);
  const { sockets, presence, memberUpdates } = createSockets(deps, options);
  const { broadcaster, connections, feed, poster } = sockets;

  let isStopping = false;
  const isDraining = () => isStopping;
  const app = createApp({ ...deps, poster, isDraining }, options.callSeconds);
  registerGauges(metrics, sql, connections, feed, config.backup !== null);
  const spa = await bundleSpa(config.reloadPages);

  await presence.start();
  const background = await startBackground(deps, sockets, memberUpdates, options);
  serve(server, {
    ...config,
    db,
    app,
    spa,
    authenticator,
    metrics,
    isDraining,
    idleSeconds: options.idleSeconds,
    websocket: createSocketHandler(sockets, presence, instance),
  });
  broadcaster.attach(server);

  return {
    address: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${server.port}`,
    baseUrl: config.baseUrl ?? `http://localhost:${server.port}`,
    async stop() {
      // 1. No new work.
      isStopping = true;
      const workDone = background.stopWork();
      // 2. Waiting messages are written and acknowledged before their sockets close.
      await waitAtMost(WRITE_MS, poster.idle().then(pushQueue.idle));
      broadcaster.closeAllSockets(CLOSE_RESTART, "restarting");
      // 3. Requests in flight are completed.
      const deadline = Date.now() + DRAIN_MS;
      while (server.pendingRequests > 0 && Date.now() < deadline) await Bun.sleep(10);
      await server.stop(true);
      memberUpdates.stop();
      metrics.stop();
      await waitAtMost(Math.max(0, deadline - Date.now()), workDone);
      // 4. Nothing uses the database from here on.
      await presence.stop().catch((error) => {
        log.warn("Presence could not be cleared; it will expire.", { error: describeCause(error) });
      });
      await background.stopListening();
      await deps.pools.close();
    },
  };
}

/** The poster writes messages, the feed publishes them in order, the registry sends them to sockets. */
function createSockets(
  { database, instance, keywords, metrics, pushQueue }: Dependencies,
  options: ServiceOptions,
): { sockets: SocketDeps; presence: Presence; memberUpdates: MemberUpdates } {
  const { db, sql } = database;
  const presence = new Presence(sql, instance, options.presenceGraceMs);
  const people = new Map<string, Person>();
  const broadcaster = new Broadcaster(people);
  const connections: ConnectionRegistry = new ConnectionRegistry(
    people,
    broadcaster,
    presence,
    metrics,
    () => feed,
  );
  const feed = new Feed(
    {
      readEvents: (spans, limit) => readEvents(database, spans, limit),
      readPositions: (roomIds) => readPositions(db, roomIds),
    },
    {
      publish: (event) => {
        connections.publish(event);
        if (event.type === "member_added" || event.type === "member_removed") {
          memberUpdates.add(event.user_id, event.room_id);
        }
      },
      removeRoom: (roomId) => connections.removeRoom(roomId),
      onUnfollowedGrowth: (roomId, seq, kind) => conversations.onGrowth(roomId, seq, kind),
    },
  );
  const conversations = new Conversations(sql, connections, feed);
  const poster = createPoster(sql, instance, { feed, keywords, pushQueue }, metrics);
  const memberUpdates = new MemberUpdates(
    sql,
    {
      isOpen: (roomId) => broadcaster.isOpen(roomId),
      openRooms: () => new Set([...people.values()].flatMap(({ open }) => [...(open ?? [])])),
      isHere: (userId) => people.has(userId),
      openDirects: () =>
        [...connections.conversations]
          .filter(([roomId]) => broadcaster.isOpen(roomId))
          .map(([roomId, { memberIds }]) => [roomId, memberIds]),
      readPeople: (userIds) => readPeople(db, userIds),
      publish(update, userIds) {
        const event = { type: "member_updated", ...update } as const;
        if (userIds) broadcaster.sendToUsers(userIds, event);
        else broadcaster.broadcastToRoom(event);
      },
    },
    options.memberUpdateMs,
  );
  const sockets = {
    database,
    feed,
    connections,
    broadcaster,
    conversations,
    poster,
    keywords,
  };
  return { sockets, presence, memberUpdates };
}
