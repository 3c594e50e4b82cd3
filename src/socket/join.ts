import type { SocketDeps } from "./deps.ts";
import { readEvents } from "../messages/events.ts";
import { requireMembership } from "../rooms/access.ts";
import type { RoomEvent } from "../wire/events.ts";
import { CLOSE_TRY_AGAIN_LATER, MAX_REPLAY } from "../wire/limits.ts";
import { type Person, type Socket, sendEvent } from "./socket.ts";
import { syncRooms } from "./memberships.ts";
import { announceRooms } from "./signals.ts";

const EVENTS_PER_READ = 100;
/** A replay waits while a socket's buffer holds this many bytes. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** A socket whose client reads nothing for this long is closed. The client reconnects with the number it has. */
const DRAIN_TIMEOUT_MS = 30_000;

/**
 * Opens a room for a socket after a membership check. If the client sends the last number that it has, it
 * receives each missed event once, as fast as it reads, and then new ones. A client that is too far behind
 * receives `resync`.
 * @throws Refusal of `requireMembership`
 */
export async function joinRoom(
  deps: SocketDeps,
  socket: Socket,
  roomId: string,
  since: number | undefined,
): Promise<void> {
  const { database, feed, connections, conversations } = deps;
  const person = socket.data.person as Person;
  let at = since;
  let isJoined = false;
  for (;;) {
    const { changes } = person;
    const access = await requireMembership(database.sql, person.id, roomId, "member");
    const { kind, last_seq: lastSeq } = access;
    if (!person.rooms.has(roomId) && kind === "direct") {
      await conversations.admit(person, roomId, lastSeq, changes);
    } else if (!person.rooms.has(roomId)) {
      await announceRooms(deps, person, await syncRooms(deps, person));
    }
    const missedEvents = await readMissedEvents(deps, roomId, at, lastSeq);
    if (!person.sockets.has(socket)) return;
    // In one turn until the room is open or the buffer is full, so that no event is published in between.
    if (person.changes !== changes || !person.rooms.has(roomId)) continue;
    connections.confirmRoom(person, roomId, lastSeq);
    const position = feed.position(roomId) ?? 0;
    const isGone = missedEvents === "gone";
    if (!isJoined) sendEvent(socket, { type: "joined", room_id: roomId, seq: position });
    if (isGone) sendEvent(socket, { type: "resync", room_id: roomId });
    else if (at !== undefined) at = replay(socket, missedEvents, at, position);
    if (isGone || at === undefined || at >= position) {
      connections.openRoom(socket, roomId);
      // Members who changed since `joined` were announced without this socket.
      if (isJoined)
        sendEvent(socket, {
          type: "member_updated",
          room_id: roomId,
          user_ids: null,
          members: null,
        });
      return;
    }
    isJoined = true;
    await waitForDrain(socket);
  }
}

/**
 * Sends missed events up to the feed's position, until the buffer is full. Events beyond that
 * position are about to be published.
 * @returns the number up to which they were sent
 */
function replay(socket: Socket, events: RoomEvent[], since: number, position: number): number {
  let at = since;
  for (const event of events) {
    if (event.seq > position || socket.getBufferedAmount() >= MAX_BUFFERED_BYTES) break;
    sendEvent(socket, event);
    at = event.seq;
  }
  return at;
}

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

/** @returns the first events after a number; "gone" if they are too many to replay, or pruned */
async function readMissedEvents(
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
