import type { WebSocketHandler } from "bun";
import { describeCause, getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Presence } from "../presence/presence.ts";
import {
  CLOSE_SIGNED_OUT,
  CLOSE_TRY_AGAIN_LATER,
  MAX_FRAME_BYTES,
  MAX_SOCKETS,
} from "../wire/limits.ts";
import { handleWaiting, receiveFrame } from "./frame-queue.ts";
import type { SocketDeps } from "./deps.ts";
import { type Socket, type SocketData, sendEvent } from "./socket.ts";
import { announceRooms } from "./signals.ts";
import { readPositionsByCredential, syncRooms } from "./memberships.ts";

const log = getLogger("socket");

/** A socket with a larger buffer is closed. Its client resumes later. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** The longest delay of `setTimeout`. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createSocketHandler(
  deps: SocketDeps,
  presence: Presence,
  instance: string,
): WebSocketHandler<SocketData> {
  return {
    maxPayloadLength: MAX_FRAME_BYTES,
    backpressureLimit: MAX_BUFFERED_BYTES,
    closeOnBackpressureLimit: true,
    idleTimeout: 120,
    perMessageDeflate: false,
    open(socket) {
      const person = deps.connections.addSocket(socket);
      socket.data.person = person;
      if (person.sockets.size > MAX_SOCKETS) {
        const detail = `An account has at most ${MAX_SOCKETS} sockets. Close some first.`;
        sendEvent(socket, { type: "error", code: "rate_limited", detail });
        socket.close(CLOSE_TRY_AGAIN_LATER, "too many sockets");
        return;
      }
      presence.connected(socket.data.userId);
      closeOnExpiry(socket);
      greet(deps, socket, instance)
        .then(() => handleWaiting(deps, socket))
        .catch((error) => {
          if (error instanceof Refusal) return socket.close(CLOSE_SIGNED_OUT, "signed out");
          log.warn("Opening a WebSocket failed; closing it.", { error: describeCause(error) });
          socket.close(1011, "try again");
        });
    },
    message(socket, data) {
      receiveFrame(deps, socket, data);
    },
    drain(socket) {
      socket.data.onDrain?.();
      handleWaiting(deps, socket);
    },
    close(socket) {
      socket.data.onDrain?.();
      if (socket.data.expiry) clearTimeout(socket.data.expiry);
      if (deps.connections.removeSocket(socket)) presence.disconnected(socket.data.userId);
    },
  };
}

async function greet(deps: SocketDeps, socket: Socket, instance: string): Promise<void> {
  const { database, feed, connections } = deps;
  const { userId, credentialId, bot, person } = socket.data;
  if (!person) return;
  // The credential may have ended after the handshake and before the registry knew the socket.
  const read = () => readPositionsByCredential(database.sql, { credentialId, bot });
  const grantedRoomIds = await syncRooms(feed, connections, person, read);
  socket.data.isGreeted = true;
  // Closed in the meantime: the frames that it sent before are handled all the same.
  if (!person.sockets.has(socket)) return;
  const server_time = new Date().toISOString();
  sendEvent(socket, { type: "hello", user_id: userId, instance, server_time });
  connections.subscribeToRooms(socket, person);
  // This socket's client loads its rooms now; the person's other clients have loaded theirs.
  if (person.sockets.size > 1) announceRooms(deps, person, grantedRoomIds).catch(logFailure);
}

function logFailure(error: unknown): void {
  log.warn("Announcing new rooms to a person's other sockets failed.", {
    error: describeCause(error),
  });
}

/** The sweep finds a token that expires later than a timer can wait. */
function closeOnExpiry(socket: Socket): void {
  const ms = socket.data.bot?.msLeft ?? null;
  if (ms === null || ms > MAX_TIMER_MS) return;
  socket.data.expiry = setTimeout(() => socket.close(CLOSE_SIGNED_OUT, "signed out"), ms);
}
