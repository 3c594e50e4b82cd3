import type { SqlClient } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Hub, Person } from "./hub.ts";

/** The rooms that someone is in, each with the last number of its log at that moment. */
export type Positions = Map<string, number>;
type Rows = { room_id: string; last_seq: number }[];
/** One row without a room where the credential stands and its user is in none. */
type StandingRows = { room_id: string | null; last_seq: number | null }[];

/** @returns how to read a user's rooms */
export function roomsOf(sql: SqlClient, userId: string): () => Promise<Positions> {
  return async () => {
    const rows = await sql<Rows>`
      select m.room_id, r.last_seq from memberships m join rooms r on r.id = m.room_id
      where m.user_id = ${userId}`;
    return new Map(rows.map((row) => [row.room_id, row.last_seq]));
  };
}

/**
 * The same for the user of a session, which must stand.
 * @returns how to read them; throws Refusal `unauthenticated`
 */
export function roomsOfSession(sql: SqlClient, sessionId: string): () => Promise<Positions> {
  return async () => {
    const rows = await sql<StandingRows>`
      select m.room_id, r.last_seq from sessions s
      join users u on u.id = s.user_id and u.is_active
      left join memberships m on m.user_id = u.id
      left join rooms r on r.id = m.room_id
      where s.id = ${sessionId} and s.expires_at > clock_timestamp()`;
    if (rows.length === 0) throw new Refusal("unauthenticated", "Your session has ended.");
    return positionsOf(rows);
  };
}

/**
 * The same for the bot of a token, which must stand.
 * @returns how to read them; throws Refusal `invalid_token`
 */
export function roomsOfToken(sql: SqlClient, tokenId: string): () => Promise<Positions> {
  return async () => {
    const rows = await sql<StandingRows>`
      select m.room_id, r.last_seq from api_tokens t
      join users u on u.id = t.user_id and u.is_active
      left join memberships m on m.user_id = u.id
      left join rooms r on r.id = m.room_id
      where t.id = ${tokenId} and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > clock_timestamp())`;
    if (rows.length === 0) throw new Refusal("invalid_token", "The token is no longer good.");
    return positionsOf(rows);
  };
}

function positionsOf(rows: StandingRows): Positions {
  return new Map(rows.flatMap((row) => (row.room_id ? [[row.room_id, row.last_seq ?? 0]] : [])));
}

/**
 * Brings what the hub holds of a person's rooms to what the database says. A membership holds as of
 * the number that is read with it, and the room is followed from there: whoever is removed later is
 * taken out when the feed delivers that. Whoever subscribes a socket does it in the same turn as
 * this resolves.
 * @returns the rooms that were not held before
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
    // Read before someone was added or removed meanwhile: read again.
    if (person.changes !== changes) continue;
    return person.sockets.size > 0 ? adoptRooms(feed, hub, person, positions) : [];
  }
}

/** @returns the rooms that were not held before */
export function adoptRooms(feed: Feed, hub: Hub, person: Person, positions: Positions): string[] {
  const granted: string[] = [];
  for (const [roomId, position] of positions) {
    if (person.rooms.has(roomId)) hub.confirmRoom(person, roomId, position);
    else {
      hub.addRoom(person, feed.follow(roomId, position), position);
      granted.push(roomId);
    }
  }
  for (const roomId of [...person.rooms.keys()]) {
    if (!positions.has(roomId)) hub.removeMember(person.id, roomId);
  }
  return granted;
}
