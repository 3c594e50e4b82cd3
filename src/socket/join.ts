import type { Database } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import { readEvents } from "../messages/events.ts";
import { checkSeat } from "../rooms/access.ts";
import type { RoomEvent } from "../wire/events.ts";
import { MAX_CHANGES, MAX_REPLAY } from "../wire/limits.ts";
import { type Hub, type Person, type Socket, send } from "./hub.ts";
import { roomsOf, syncRooms } from "./memberships.ts";

/**
 * Opens a room for a socket after a membership check. With the last number that the client holds,
 * what it missed follows, and then what is new: nothing twice, nothing left out.
 * @throws Refusal of `checkSeat`
 */
export async function joinRoom(
  database: Database,
  feed: Feed,
  hub: Hub,
  socket: Socket,
  roomId: string,
  since: number | undefined,
): Promise<void> {
  const person = socket.data.person as Person;
  for (;;) {
    const { changes } = person;
    const { lastSeq } = await checkSeat(database.sql, person.id, roomId, "member");
    if (!person.rooms.has(roomId)) {
      await syncRooms(feed, hub, person, roomsOf(database.sql, person.id));
    }
    const missed = await readMissed(database, feed, roomId, since, lastSeq);
    if (!person.sockets.has(socket)) return;
    // From here to the end nothing waits, so that no event can come between.
    if (person.changes !== changes || !person.rooms.has(roomId)) continue;
    const position = feed.position(roomId) ?? 0;
    if (missed !== "gone" && since !== undefined && reach(missed, since) < position) continue;
    hub.open(socket, roomId);
    send(socket, { type: "joined", room_id: roomId, seq: position });
    if (missed === "gone") send(socket, { type: "resync", room_id: roomId });
    // What the log already has beyond the position is published in a moment.
    else for (const event of missed) if (event.seq <= position) send(socket, event);
    return;
  }
}

async function readMissed(
  database: Database,
  feed: Feed,
  roomId: string,
  since: number | undefined,
  lastSeq: number,
): Promise<RoomEvent[] | "gone"> {
  if (since === undefined) return [];
  if (since > lastSeq || lastSeq - since > MAX_REPLAY) return "gone";
  const missed: RoomEvent[] = [];
  while (reach(missed, since) < Math.max(lastSeq, feed.position(roomId) ?? 0)) {
    const at = reach(missed, since);
    const events = await readEvents(database, [{ roomId, after: at }], MAX_CHANGES);
    if (events[0]?.seq !== at + 1 || missed.length > 2 * MAX_REPLAY) return "gone";
    missed.push(...events);
  }
  return missed;
}

/** The number up to which the missed events go. */
function reach(missed: RoomEvent[], since: number): number {
  return missed.at(-1)?.seq ?? since;
}
