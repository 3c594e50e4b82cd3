import {
  CLOSE_TRY_AGAIN_LATER,
  MAX_CONCURRENT_FRAME_BYTES,
  MAX_CONCURRENT_FRAMES,
  MAX_WAITING_BYTES,
  MAX_WAITING_FRAMES,
} from "../wire/limits.ts";
import type { SocketDeps } from "./deps.ts";
import { handleFrame } from "./handle.ts";
import { type Socket, sendEvent } from "./socket.ts";

/** The approximate memory of a waiting frame beyond its own bytes. */
const OVERHEAD_BYTES = 64;
/** No further frame is handled while a socket's buffer holds this many bytes. */
const MAX_BUFFERED_BYTES = 128 * 1024;
/** With more bytes waiting, a bot's socket is not read, so that TCP slows the bot down. */
const PAUSE_AT_BYTES = 64 * 1024;

/**
 * Handles a frame, or queues it. A socket above the limits receives `rate_limited` and is closed.
 */
export function receiveFrame(deps: SocketDeps, socket: Socket, data: string | Buffer): void {
  // Bun still delivers what it read before the socket was closed.
  if (socket.readyState !== WebSocket.OPEN) return;
  const { bot } = socket.data;
  socket.data.waiting ??= { frames: [], next: 0, bytes: 0 };
  const queue = socket.data.waiting;
  queue.frames.push(data);
  queue.bytes += data.length + OVERHEAD_BYTES;
  handleWaiting(deps, socket);
  const isFull = bot === null && queue.frames.length - queue.next > MAX_WAITING_FRAMES;
  if (isFull || queue.bytes > MAX_WAITING_BYTES) closeFlooding(socket);
  else if (bot && queue.bytes > PAUSE_AT_BYTES && !socket.isPaused) socket.pause();
}

/**
 * Handles as many queued frames as the limits allow, and resumes reading when none is left. Called after
 * `hello`, after each frame, and when the client has read from its buffer.
 */
export function handleWaiting(deps: SocketDeps, socket: Socket): void {
  const queue = socket.data.waiting;
  if (!queue) return;
  while (queue.next < queue.frames.length && isReadyFor(socket)) {
    const data = queue.frames[queue.next++] as string | Buffer;
    queue.bytes -= data.length + OVERHEAD_BYTES;
    const handling = handleFrame(deps, socket, data);
    if (!handling) continue;
    socket.data.handling += 1;
    socket.data.handlingBytes += data.length;
    void handling.then(() => {
      socket.data.handling -= 1;
      socket.data.handlingBytes -= data.length;
      handleWaiting(deps, socket);
    });
  }
  // In batches, since removing each frame would move all others.
  if (queue.next >= MAX_CONCURRENT_FRAMES) {
    queue.frames.splice(0, queue.next);
    queue.next = 0;
  }
  if (queue.frames.length > queue.next) return;
  socket.data.waiting = null;
  if (socket.isPaused) socket.resume();
}

function isReadyFor(socket: Socket): boolean {
  const { isGreeted, handling, handlingBytes } = socket.data;
  return (
    isGreeted &&
    handling < MAX_CONCURRENT_FRAMES &&
    handlingBytes < MAX_CONCURRENT_FRAME_BYTES &&
    socket.getBufferedAmount() < MAX_BUFFERED_BYTES
  );
}

function closeFlooding(socket: Socket): void {
  socket.data.waiting = null;
  const detail = "Too many frames wait for an answer. Connect again, and wait for answers.";
  sendEvent(socket, { type: "error", code: "rate_limited", detail });
  socket.close(CLOSE_TRY_AGAIN_LATER, "too many frames");
}
