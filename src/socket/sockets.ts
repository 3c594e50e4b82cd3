import type { WebSocketHandler } from "bun";
import { describeCause, getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Presence } from "../presence/presence.ts";
import {
  CLOSE_SIGNED_OUT,
  CLOSE_TRY_AGAIN_LATER,
  MAX_CONCURRENT_FRAME_BYTES,
  MAX_CONCURRENT_FRAMES,
  MAX_FRAME_BYTES,
  MAX_SOCKETS,
  MAX_WAITING_BYTES,
  MAX_WAITING_FRAMES,
} from "../wire/limits.ts";
import type { SocketDeps } from "./deps.ts";
import { handleFrame } from "./handle.ts";
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
      presence.onConnect(socket.data.id);
      closeOnExpiry(socket);
      greet(deps, socket, instance)
        .then(() => handleWaitingFrames(deps, socket))
        .catch((error) => {
          if (error instanceof Refusal) return socket.close(CLOSE_SIGNED_OUT, "signed out");
          log.warn("Opening a WebSocket failed; closing it.", { error: describeCause(error) });
          socket.close(1011, "try again");
        });
    },
    message: (socket, data) => receiveFrame(deps, socket, data),
    drain(socket) {
      socket.data.onDrain?.();
      handleWaitingFrames(deps, socket);
    },
    close(socket) {
      socket.data.onDrain?.();
      for (const timer of [socket.data.expiry, socket.data.nextHello])
        if (timer) clearTimeout(timer);
      if (deps.connections.removeSocket(socket)) presence.onDisconnect(socket.data.id);
    },
  };
}

/** Handles a frame, or queues it. A socket above the limits receives `rate_limited` and is closed. */
function receiveFrame(deps: SocketDeps, socket: Socket, data: string | Buffer): void {
  // Bun still delivers what it read before the socket was closed.
  if (socket.readyState !== WebSocket.OPEN) return;
  const isBot = socket.data.token !== null;
  socket.data.waitingFrames ??= { frames: [], next: 0, bytes: 0 };
  const queue = socket.data.waitingFrames;
  queue.frames.push(data);
  queue.bytes += data.length + OVERHEAD_BYTES;
  handleWaitingFrames(deps, socket);
  const isFull = !isBot && queue.frames.length - queue.next > MAX_WAITING_FRAMES;
  if (isFull || queue.bytes > MAX_WAITING_BYTES) closeFloodingSocket(socket);
  else if (isBot && queue.bytes > PAUSE_AT_BYTES && !socket.isPaused) socket.pause();
}

async function greet(deps: SocketDeps, socket: Socket, instance: string): Promise<void> {
  const { person } = socket.data;
  if (!person) return;
  // The credential may have ended after the handshake and before the registry knew the socket.
  const grantedRoomIds = await syncRooms(deps, person, () =>
    readPositionsByCredential(deps.database.sql, socket.data),
  );
  socket.data.isGreeted = true;
  // The socket was closed in the meantime; frames that it sent before that are still handled.
  if (!person.sockets.has(socket)) return;
  sendHello(socket, instance);
  deps.connections.subscribeToRooms(socket, person);
  // This socket's client loads its rooms now; the person's other clients have loaded theirs.
  if (person.sockets.size > 1) announceRooms(deps, person, grantedRoomIds).catch(logFailure);
}

function sendHello(socket: Socket, instance: string): void {
  const server_time = new Date().toISOString();
  sendEvent(socket, { type: "hello", user_id: socket.data.id, instance, server_time });
}

/** Clients answer a repeated `hello` with several requests each, which this spreads over time. */
const SPREAD_MS = 2_000;

/**
 * Sends `hello` again to people's sockets, because signals may have been lost. Their clients load what those
 * could have changed, as after a reconnect. Bots receive no signals about lists of their own.
 */
export function greetAgain(
  { connections }: Pick<SocketDeps, "connections">,
  instance: string,
  spreadMs = SPREAD_MS,
): void {
  for (const { sockets } of connections.people.values()) {
    for (const socket of sockets) {
      const { data } = socket;
      if (!data.isGreeted || data.token || data.nextHello) continue;
      data.nextHello = setTimeout(() => {
        data.nextHello = null;
        sendHello(socket, instance);
      }, Math.random() * spreadMs);
    }
  }
}

function logFailure(error: unknown): void {
  log.warn("Announcing new rooms to a person's other sockets failed.", {
    error: describeCause(error),
  });
}

/** The sweep finds a token that expires later than a timer can wait. */
function closeOnExpiry(socket: Socket): void {
  const ms = socket.data.token?.msLeft ?? null;
  if (ms === null || ms > MAX_TIMER_MS) return;
  socket.data.expiry = setTimeout(() => socket.close(CLOSE_SIGNED_OUT, "signed out"), ms);
}

/** The approximate memory of a waiting frame beyond its own bytes. */
const OVERHEAD_BYTES = 64;
/** No further frame is handled while a socket's buffer holds this many bytes. */
const MAX_UNREAD_BYTES = 128 * 1024;
/** With more bytes waiting, a bot's socket is not read, so that TCP slows the bot down. */
const PAUSE_AT_BYTES = 64 * 1024;

/**
 * Handles as many queued frames as the limits allow, and resumes reading when none is left. Called after
 * `hello`, after each frame, and when the client has read from its buffer.
 */
function handleWaitingFrames(deps: SocketDeps, socket: Socket): void {
  const queue = socket.data.waitingFrames;
  if (!queue) return;
  while (queue.next < queue.frames.length && isReadyFor(socket)) {
    const data = queue.frames[queue.next++] as string | Buffer;
    queue.bytes -= data.length + OVERHEAD_BYTES;
    const completion = handleFrame(deps, socket, data);
    if (!completion) continue;
    socket.data.framesInProgress += 1;
    socket.data.bytesInProgress += data.length;
    void completion.then(() => {
      socket.data.framesInProgress -= 1;
      socket.data.bytesInProgress -= data.length;
      handleWaitingFrames(deps, socket);
    });
  }
  // In batches, since removing each frame would move all others.
  if (queue.next >= MAX_CONCURRENT_FRAMES) {
    queue.frames.splice(0, queue.next);
    queue.next = 0;
  }
  if (queue.frames.length > queue.next) return;
  socket.data.waitingFrames = null;
  if (socket.isPaused) socket.resume();
}

function isReadyFor(socket: Socket): boolean {
  const { isGreeted, framesInProgress, bytesInProgress } = socket.data;
  return (
    isGreeted &&
    framesInProgress < MAX_CONCURRENT_FRAMES &&
    bytesInProgress < MAX_CONCURRENT_FRAME_BYTES &&
    socket.getBufferedAmount() < MAX_UNREAD_BYTES
  );
}

function closeFloodingSocket(socket: Socket): void {
  socket.data.waitingFrames = null;
  const detail = "Too many frames wait for an answer. Connect again, and wait for answers.";
  sendEvent(socket, { type: "error", code: "rate_limited", detail });
  socket.close(CLOSE_TRY_AGAIN_LATER, "too many frames");
}
