import type { WebSocketHandler } from "bun";
import { describeCause } from "../platform/cause.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Presence } from "../presence/presence.ts";
import { CLOSE_SIGNED_OUT, MAX_FRAME_BYTES } from "../wire/limits.ts";
import { handleFrame, type SocketDeps } from "./handle.ts";
import { type Socket, type SocketData, send } from "./hub.ts";
import { roomsOfSession, roomsOfToken, syncRooms } from "./memberships.ts";

const log = getLogger("socket");

/** What a reader that has stopped may leave lying here before it is closed, to resume later. */
const BACKPRESSURE_BYTES = 1024 * 1024;

/** What a timer can wait for. */
const MOST_TIMER_MS = 2 ** 31 - 1;

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
      closeOnExpiry(socket);
      socket.data.ready = greet(deps, socket, instance).catch((error) => {
        if (error instanceof Refusal) return socket.close(CLOSE_SIGNED_OUT, "signed out");
        log.warn("A socket could not be greeted.", { error: describeCause(error) });
        socket.close(1011, "try again");
      });
    },
    message(socket, data) {
      const { ready } = socket.data;
      if (ready) void ready.then(() => handleFrame(deps, socket, data));
      else handleFrame(deps, socket, data);
    },
    close(socket) {
      if (socket.data.expiry) clearTimeout(socket.data.expiry);
      if (deps.hub.exit(socket)) presence.disconnected(socket.data.userId);
    },
  };
}

async function greet(deps: SocketDeps, socket: Socket, instance: string): Promise<void> {
  const { database, feed, hub } = deps;
  const { userId, standsOn, bot, person } = socket.data;
  if (!person) return;
  // What it stands on may have ended after the handshake and before it could be told to close.
  const read = (bot ? roomsOfToken : roomsOfSession)(database.sql, standsOn);
  await syncRooms(feed, hub, person, read);
  if (!person.sockets.has(socket)) return;
  socket.data.ready = null;
  const server_time = new Date().toISOString();
  send(socket, { type: "hello", user_id: userId, instance, server_time });
  hub.greet(socket, person);
}

/** A token that expires later than a timer reaches is left to the comparison with the database. */
function closeOnExpiry(socket: Socket): void {
  const ms = socket.data.bot?.msLeft ?? null;
  if (ms === null || ms > MOST_TIMER_MS) return;
  socket.data.expiry = setTimeout(() => socket.close(CLOSE_SIGNED_OUT, "signed out"), ms);
}

/** Those of the sessions and tokens that still stand. */
export async function stillStanding({ database }: SocketDeps, ids: string[]): Promise<Set<string>> {
  const rows = await database.sql<{ id: string }[]>`
    select s.id from sessions s join users u on u.id = s.user_id
    where s.id = any(${ids}::uuid[]) and s.expires_at > clock_timestamp() and u.is_active
    union all
    select t.id from api_tokens t join users u on u.id = t.user_id
    where t.id = any(${ids}::uuid[]) and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp()) and u.is_active`;
  return new Set(rows.map((row) => row.id));
}
