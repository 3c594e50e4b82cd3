import type { WebSocketHandler } from "bun";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Presence } from "../presence/presence.ts";
import { CLOSE_SIGNED_OUT, MAX_FRAME_BYTES } from "../wire/limits.ts";
import { handleFrame, type SocketDeps } from "./handle.ts";
import { type Socket, type SocketData, send } from "./hub.ts";
import { roomsOfSession, syncRooms } from "./memberships.ts";

const log = getLogger("socket");

/** What a reader that has stopped may leave lying here before it is closed, to resume later. */
const BACKPRESSURE_BYTES = 1024 * 1024;

/** Bun's own WebSocket handler: greets, hands frames on, and cleans up. */
export function socketHandler(
  deps: SocketDeps,
  presence: Presence,
  instance: string,
): WebSocketHandler<SocketData> {
  return {
    maxPayloadLength: MAX_FRAME_BYTES,
    backpressureLimit: BACKPRESSURE_BYTES,
    closeOnBackpressureLimit: true,
    idleTimeout: 120,
    perMessageDeflate: false,
    open(socket) {
      socket.data.person = deps.hub.enter(socket);
      presence.connected(socket.data.userId);
      socket.data.ready = greet(deps, socket, instance).catch((error) => {
        if (error instanceof Refusal) return socket.close(CLOSE_SIGNED_OUT, "signed out");
        log.warn("A socket could not be greeted.", { error: String(error) });
        socket.close(1011, "try again");
      });
    },
    message(socket, data) {
      const { ready } = socket.data;
      if (ready) void ready.then(() => handleFrame(deps, socket, data));
      else handleFrame(deps, socket, data);
    },
    close(socket) {
      if (deps.hub.exit(socket)) presence.disconnected(socket.data.userId);
    },
  };
}

async function greet(deps: SocketDeps, socket: Socket, instance: string): Promise<void> {
  const { database, feed, hub } = deps;
  const { userId, sessionId, person } = socket.data;
  if (!person) return;
  // The session may have ended after the handshake and before it could be told to close.
  await syncRooms(feed, hub, person, roomsOfSession(database.sql, sessionId));
  if (!person.sockets.has(socket)) return;
  socket.data.ready = null;
  const server_time = new Date().toISOString();
  send(socket, { type: "hello", user_id: userId, instance, server_time });
  hub.greet(socket, person);
}

/** Those of the sessions that still stand. */
export async function liveSessions(deps: SocketDeps, ids: string[]): Promise<Set<string>> {
  const rows = await deps.database.sql<{ id: string }[]>`
    select s.id from sessions s join users u on u.id = s.user_id
    where s.id = any(${ids}::uuid[]) and s.expires_at > clock_timestamp() and u.is_active`;
  return new Set(rows.map((row) => row.id));
}
