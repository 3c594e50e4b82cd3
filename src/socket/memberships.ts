import type { SqlClient } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Hub } from "./hub.ts";
import type { Person, SocketData } from "./socket.ts";
import {
  type RoomPosition,
  readRoomsOfSession,
  readRoomsOfToken,
  readRoomsOfUser,
} from "./statements.ts";

/** The rooms that someone is in, each with the last number of its log at that moment. */
export type Positions = Map<string, number>;

/** Reads the rooms that someone is in. */
export async function readPositions(sql: SqlClient, userId: string): Promise<Positions> {
  return toPositions(await readRoomsOfUser(sql, userId));
}

/**
 * The same for the user of a session or token, which is checked with the same statement.
 * @throws Refusal `unauthenticated`, `invalid_token`
 */
export async function readPositionsByCredential(
  sql: SqlClient,
  { credentialId, bot }: Pick<SocketData, "credentialId" | "bot">,
): Promise<Positions> {
  const rows = await (bot ? readRoomsOfToken : readRoomsOfSession)(sql, credentialId);
  if (rows.length > 0) return toPositions(rows);
  throw bot
    ? new Refusal("invalid_token", "The token is not valid any more.")
    : new Refusal("unauthenticated", "Your session has ended.");
}

/** Rows of rooms by their id; a row without a room says that there is none. */
export function toPositions(rows: RoomPosition[]): Positions {
  return new Map(rows.flatMap((row) => (row.room_id ? [[row.room_id, row.last_seq ?? 0]] : [])));
}

/**
 * Updates the hub's list of a person's rooms from the database. A membership is valid at the number
 * that is read with it, and the room is followed from there: a later removal takes effect when the
 * feed publishes it. A caller that subscribes a socket does so in the same turn as this resolves.
 * @returns the rooms that are new to the hub
 */
export async function syncRooms(
  feed: Feed,
  hub: Hub,
  person: Person,
  read: () => Promise<Positions>,
): Promise<string[]> {
  for (;;) {
    const { changes } = person;
    const positions = await read();
    // The rooms were read before the person was added or removed: they are stale, and read again.
    if (person.changes !== changes) continue;
    return person.sockets.size > 0 ? adoptRooms(feed, hub, person, positions) : [];
  }
}

/** @returns the rooms that are new to the hub */
export function adoptRooms(feed: Feed, hub: Hub, person: Person, positions: Positions): string[] {
  const added: string[] = [];
  for (const [roomId, position] of positions) {
    if (person.rooms.has(roomId)) hub.confirmRoom(person, roomId, position);
    else {
      hub.addRoom(person, feed.follow(roomId, position), position);
      added.push(roomId);
    }
  }
  for (const roomId of [...person.rooms.keys()]) {
    if (!positions.has(roomId)) hub.removeMember(person.id, roomId);
  }
  return added;
}
