import {
  CLOSE_TRY_AGAIN_LATER,
  MAX_CONCURRENT_FRAME_BYTES,
  MAX_CONCURRENT_FRAMES,
  MAX_WAITING_BYTES,
  MAX_WAITING_FRAMES,
} from "../wire/limits.ts";
import { type Socket, sendEvent } from "./hub.ts";

/** Handles one frame; null where it was answered at once, else resolves when it has been answered. */
type HandleFrame = (socket: Socket, data: string | Buffer) => Promise<void> | null;

/** What a waiting frame takes beside its own bytes, about. */
const OVERHEAD_BYTES = 64;
/** Answers and events that lie unread, past which no further frame is handled. */
const UNREAD_BYTES = 128 * 1024;
/** A bot's socket with so much waiting is not read until it has been handled: TCP slows the bot. */
const PAUSE_BYTES = 64 * 1024;

/**
 * Takes a frame from a socket and handles it, or keeps it until its turn. A bot is slowed down: its
 * socket is not read while much waits. Past the limits the socket is told `rate_limited` and closed.
 */
export function receiveFrame(socket: Socket, data: string | Buffer, handle: HandleFrame): void {
  // What was read before a socket was closed is still delivered after it.
  if (socket.readyState !== WebSocket.OPEN) return;
  const { waiting, bot } = socket.data;
  if (!waiting && isReadyFor(socket)) {
    run(socket, data, handle);
    return;
  }
  const queue = waiting ?? { frames: [], next: 0, bytes: 0 };
  queue.frames.push(data);
  queue.bytes += data.length + OVERHEAD_BYTES;
  socket.data.waiting = queue;
  const isFull = bot === null && queue.frames.length - queue.next > MAX_WAITING_FRAMES;
  if (isFull || queue.bytes > MAX_WAITING_BYTES) refuseFlood(socket);
  else if (bot && queue.bytes > PAUSE_BYTES && !socket.isPaused) socket.pause();
}

/**
 * Handles the frames that wait, as many as may be handled at once; then the socket is read again.
 * Called when the socket was greeted, when a frame was answered, and when answers were read.
 */
export function handleWaiting(socket: Socket, handle: HandleFrame): void {
  const queue = socket.data.waiting;
  if (!queue) return;
  while (queue.next < queue.frames.length && isReadyFor(socket)) {
    const data = queue.frames[queue.next++] as string | Buffer;
    queue.bytes -= data.length + OVERHEAD_BYTES;
    run(socket, data, handle);
  }
  // Not one by one, which would move the rest each time.
  if (queue.next >= MAX_CONCURRENT_FRAMES) {
    queue.frames.splice(0, queue.next);
    queue.next = 0;
  }
  if (queue.frames.length > queue.next) return;
  socket.data.waiting = null;
  if (socket.isPaused) socket.resume();
}

/** Whether the socket may have one more frame handled. One that does not read its answers waits. */
function isReadyFor(socket: Socket): boolean {
  const { isGreeted, handling, handlingBytes } = socket.data;
  return (
    isGreeted &&
    handling < MAX_CONCURRENT_FRAMES &&
    handlingBytes < MAX_CONCURRENT_FRAME_BYTES &&
    socket.getBufferedAmount() < UNREAD_BYTES
  );
}

function run(socket: Socket, data: string | Buffer, handle: HandleFrame): void {
  const answered = handle(socket, data);
  if (!answered) return;
  socket.data.handling += 1;
  socket.data.handlingBytes += data.length;
  void answered.then(() => {
    socket.data.handling -= 1;
    socket.data.handlingBytes -= data.length;
    handleWaiting(socket, handle);
  });
}

function refuseFlood(socket: Socket): void {
  socket.data.waiting = null;
  const detail = "Too many frames wait for an answer. Connect again, and wait for answers.";
  sendEvent(socket, { type: "error", code: "rate_limited", detail });
  socket.close(CLOSE_TRY_AGAIN_LATER, "too many frames");
}
