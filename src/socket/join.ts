import type { SocketDeps } from "./hub.ts";
import { readEvents } from "../messages/events.ts";
import { checkSeat } from "../rooms/access.ts";
import type { RoomEvent } from "../wire/events.ts";
import { CLOSE_TRY_AGAIN_LATER, MAX_REPLAY } from "../wire/limits.ts";
import { type Person, type Socket, sendEvent } from "./socket.ts";
import { readPositions, syncRooms } from "./memberships.ts";
import { announceRooms } from "./signals.ts";

/** Events of one read of the log. */
const EVENTS_PER_READ = 100;
/** Bytes in a socket's buffer, past which a replay waits for the client to read. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** A client that reads nothing for this long is closed; it reconnects with the number it has. */
const DRAIN_TIMEOUT_MS = 30_000;

/**
 * Opens a room for a socket after a membership check. With the last number that the client has, the
 * events that it missed follow as fast as it reads, and then new ones: none twice, none left out. A
 * client that is too far behind gets `resync`.
 * @throws Refusal of `checkSeat`
 */
export async function joinRoom(
  deps: SocketDeps,
  socket: Socket,
  roomId: string,
  since: number | undefined,
): Promise<void> {
  try {
    await replayAndOpen(deps, socket, roomId, since);
  } finally {
    // A conversation that was followed for this socket and not opened.
    if (socket.data.person) deps.hub.openDirects.removeIfClosed(socket.data.person, roomId);
  }
}

async function replayAndOpen(
  deps: SocketDeps,
  socket: Socket,
  roomId: string,
  since: number | undefined,
): Promise<void> {
  const { database, feed, hub, directs } = deps;
  const person = socket.data.person as Person;
  const isIn = () => person.rooms.has(roomId) || person.directs?.has(roomId);
  let at = since;
  let isJoined = false;
  for (;;) {
    const { changes } = person;
    const { kind, lastSeq } = await checkSeat(database.sql, person.id, roomId, "member");
    if (kind === "direct") {
      // A conversation is followed only while a socket has it open.
      if (!person.directs?.has(roomId) && person.changes === changes) {
        hub.openDirects.add(person, feed.follow(roomId, lastSeq), lastSeq);
        directs.note(roomId, lastSeq);
      }
    } else if (!person.rooms.has(roomId)) {
      const read = () => readPositions(database.sql, person.id);
      await announceRooms(deps, person, await syncRooms(feed, hub, person, read));
    }
    const missed = await readMissed(deps, roomId, at, lastSeq);
    if (!person.sockets.has(socket)) return;
    // Synchronous until the room is open or the buffer is full, so that no event comes between.
    if (person.changes !== changes || !isIn()) continue;
    hub.confirmRoom(person, roomId, lastSeq);
    const position = feed.position(roomId) ?? 0;
    const isGone = missed === "gone";
    if (!isJoined) sendEvent(socket, { type: "joined", room_id: roomId, seq: position });
    isJoined = true;
    if (isGone) sendEvent(socket, { type: "resync", room_id: roomId });
    else if (at !== undefined) at = replay(socket, missed, at, position);
    if (isGone || at === undefined || at >= position) {
      hub.openRoom(socket, roomId);
      return;
    }
    await waitForDrain(socket);
  }
}

/**
 * Sends missed events up to the feed's position, until the buffer is full. Events beyond that
 * position are about to be published.
 * @returns the number up to which they were sent
 */
function replay(socket: Socket, missed: RoomEvent[], since: number, position: number): number {
  let at = since;
  for (const event of missed) {
    if (event.seq > position || socket.getBufferedAmount() >= MAX_BUFFERED_BYTES) break;
    sendEvent(socket, event);
    at = event.seq;
  }
  return at;
}

/** Resolves once the buffer has room again, or the socket is closed. */
async function waitForDrain(socket: Socket): Promise<void> {
  while (socket.readyState === WebSocket.OPEN && socket.getBufferedAmount() >= MAX_BUFFERED_BYTES) {
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.data.onDrain = resolve;
    const timer = setTimeout(
      () => socket.close(CLOSE_TRY_AGAIN_LATER, "reads too slowly"),
      DRAIN_TIMEOUT_MS,
    );
    await promise;
    clearTimeout(timer);
    socket.data.onDrain = null;
  }
}

/** @returns the events after a number, as many as one read returns; "gone" past what is replayed */
async function readMissed(
  { database, feed }: SocketDeps,
  roomId: string,
  since: number | undefined,
  lastSeq: number,
): Promise<RoomEvent[] | "gone"> {
  if (since === undefined) return [];
  const last = Math.max(lastSeq, feed.position(roomId) ?? 0);
  if (since > last || last - since > MAX_REPLAY) return "gone";
  if (since === last) return [];
  const events = await readEvents(database, [{ roomId, after: since }], EVENTS_PER_READ);
  return events[0]?.seq === since + 1 ? events : "gone";
}
