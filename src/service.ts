import { readPeople } from "./accounts/directory.ts";
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
import { createParts, type ServiceOptions } from "./parts.ts";
import { describeCause } from "./platform/cause.ts";
import { getLogger } from "./platform/log.ts";
import { waitAtMost } from "./platform/wait.ts";
import { Presence } from "./presence/presence.ts";
import { saveEnvironmentProvider } from "./providers/environment.ts";
import { readPositions } from "./rooms/read.ts";
import { Directs } from "./socket/directs.ts";
import { Hub, type SocketDeps } from "./socket/hub.ts";
import { Sender } from "./socket/sender.ts";
import type { Person } from "./socket/socket.ts";
import { createSocketHandler } from "./socket/sockets.ts";
import { CLOSE_RESTART } from "./wire/limits.ts";

const log = getLogger("service");
/** How long a stop waits for requests in flight and for messages that are being written. */
const DRAIN_MS = 10_000;
const WRITE_MS = 1_000;

export type Service = {
  /** Where it listens: `http://<host>:<port>`. */
  address: string;
  /** The origin that people use. */
  baseUrl: string;
  /** Answers new requests with 503, closes sockets with 1012, and waits 10 s at most for the rest. */
  stop(): Promise<void>;
};

/**
 * Composes the service on a migrated database, and serves it.
 * @param listener where the port was taken already; it is closed if the start fails
 */
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
  const parts = createParts(config, target, options);
  const { database, identifier, instance, keywords, metrics, peers, pushQueue } = parts;
  const { db, sql } = database;

  // The poster writes messages, the feed publishes them in order, the hub passes them to sockets.
  const presence = new Presence(sql, instance);
  const people = new Map<string, Person>();
  const sender = new Sender(people);
  const directs = new Directs(sql, sender);
  const hub: Hub = new Hub(people, sender, directs, presence, metrics, () => feed);
  const feed = new Feed(
    {
      readEvents: (spans, limit) => readEvents(database, spans, limit),
      readPositions: (roomIds) => readPositions(db, roomIds),
    },
    {
      publish: (event) => {
        hub.publish(event);
        if (event.type === "member_added" || event.type === "member_removed") {
          memberUpdates.add(event.user_id, event.room_id);
        }
      },
      removeRoom: (roomId) => hub.removeRoom(roomId),
      noteUnfollowed: (roomId, seq, event) => directs.note(roomId, seq, event),
    },
  );
  await saveEnvironmentProvider(db, parts.readKey, config.oidc);
  const poster = createPoster(sql, peers, feed, metrics, (messages) => keywords.add(messages));
  const memberUpdates = new MemberUpdates(database, {
    isOpen: (roomId) => sender.isOpen(roomId),
    isHere: (userId) => people.has(userId),
    openDirects: () => hub.openDirects.list(),
    readPeople: (userIds) => readPeople(db, userIds),
    publish: (update) => sender.broadcastToRoom({ type: "member_updated", ...update }),
    send: (userIds, update) => sender.sendToUsers(userIds, { type: "member_updated", ...update }),
  });
  const sockets: SocketDeps = { database, feed, hub, sender, directs, poster, keywords };

  let draining = false;
  const isDraining = () => draining;
  const app = createApp({ ...parts, poster, isDraining });
  registerGauges(metrics, sql, hub, feed, config.backup !== null);
  const spa = await bundleSpa(config.reloadPages);

  await presence.start();
  const background = await startBackground(parts, sockets, memberUpdates, options);
  serve(server, {
    ...config,
    db: database.db,
    ...{ app, spa, identifier, metrics, isDraining, idleSeconds: options.idleSeconds },
    websocket: createSocketHandler(sockets, presence, instance),
  });
  sender.attach(server);

  return {
    address: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${server.port}`,
    baseUrl: config.baseUrl ?? `http://localhost:${server.port}`,
    async stop() {
      // 1. No new work.
      draining = true;
      const workDone = background.stopWork();
      // 2. Messages that wait to be written are acknowledged before their sockets close.
      await waitAtMost(
        WRITE_MS,
        poster
          .idle()
          .then(() => keywords.idle())
          .then(pushQueue.idle),
      );
      sender.closeAllSockets(CLOSE_RESTART, "restarting");
      // 3. Requests in flight get their answers.
      const deadline = Date.now() + DRAIN_MS;
      while (server.pendingRequests > 0 && Date.now() < deadline) await Bun.sleep(10);
      await server.stop(true);
      memberUpdates.stop();
      await waitAtMost(WRITE_MS, directs.stop());
      metrics.stop();
      await waitAtMost(Math.max(0, deadline - Date.now()), workDone);
      // 4. Nothing uses the database any more.
      await presence.stop().catch((error) => {
        log.warn("Presence could not be cleared; it will expire.", { error: describeCause(error) });
      });
      await background.stopListening();
      await parts.pools.close();
    },
  };
}
