import type { SqlClient } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import { Refusal } from "../platform/refusal.ts";
import type { ConnectionRegistry } from "./connection-registry.ts";
import type { Person, SocketData } from "./socket.ts";

/** The rooms that someone is in, each with the last number of its log at that moment. */
export type Positions = Map<string, number>;

export async function readPositions(sql: SqlClient, userId: string): Promise<Positions> {
  return toPositions(await readRoomsOfUser(sql, userId));
}

/**
 * Checks a session or token, and reads the rooms of its user in the same statement.
 * @throws Refusal `unauthenticated`, `invalid_token`
 */
export async function readPositionsByCredential(
  sql: SqlClient,
  { credentialId, bot }: Pick<SocketData, "credentialId" | "bot">,
): Promise<Positions> {
  const rows = await (bot ? readRoomsOfToken : readRoomsOfSession)(sql, credentialId);
  if (rows.length > 0) return toPositions(rows);
  throw bot
    ? new Refusal("invalid_token", "The token is no longer valid.")
    : new Refusal("unauthenticated", "Your session has ended.");
}

export function toPositions(rows: RoomPosition[]): Positions {
  return new Map(rows.flatMap((row) => (row.room_id ? [[row.room_id, row.last_seq ?? 0]] : [])));
}

/**
 * Updates a person's rooms in the registry from the database. Each room is followed from the number that was
 * read with the membership, so that a later removal takes effect when the feed publishes it. A caller that
 * subscribes a socket does so in the turn in which this resolves.
 * @returns the rooms that are new to the registry
 */
export async function syncRooms(
  feed: Feed,
  connections: ConnectionRegistry,
  person: Person,
  read: () => Promise<Positions>,
): Promise<string[]> {
  for (;;) {
    const { changes } = person;
    const positions = await read();
    // The person was added to or removed from a room meanwhile, so what was read is stale.
    if (person.changes !== changes) continue;
    return person.sockets.size > 0 ? adoptRooms(feed, connections, person, positions) : [];
  }
}

/** @returns the rooms that are new to the registry, and conversations that have become rooms */
export function adoptRooms(
  feed: Feed,
  connections: ConnectionRegistry,
  person: Person,
  positions: Positions,
): string[] {
  const grantedRoomIds: string[] = [];
  for (const [roomId, position] of positions) {
    connections.endConversation(roomId);
    if (person.rooms.has(roomId)) {
      connections.confirmRoom(person, roomId, position);
      if (person.formerConversations.delete(roomId)) grantedRoomIds.push(roomId);
    } else {
      connections.addRoom(person, feed.follow(roomId, position), position);
      grantedRoomIds.push(roomId);
    }
  }
  for (const roomId of [...person.rooms.keys()]) {
    const isRoom = !connections.conversations.has(roomId);
    if (isRoom && !positions.has(roomId)) connections.removeMember(person.id, roomId);
  }
  return grantedRoomIds;
}

/** A room and the last number of its log. A user without rooms has one row of nulls. */
type RoomPosition = { room_id: string | null; last_seq: number | null };

function readRoomsOfUser(sql: SqlClient, userId: string) {
  return sql<RoomPosition[]>`
    select m.room_id, r.last_seq from memberships m join rooms r on r.id = m.room_id
    where m.user_id = ${userId} and not m.is_direct`;
}

/** @returns no rows if the session has ended or the user is not active */
function readRoomsOfSession(sql: SqlClient, sessionId: string) {
  return sql<RoomPosition[]>`
    select m.room_id, r.last_seq from sessions s
    join users u on u.id = s.user_id and u.is_active
    left join memberships m on m.user_id = u.id and not m.is_direct
    left join rooms r on r.id = m.room_id
    where s.id = ${sessionId} and s.expires_at > clock_timestamp() and not s.is_restricted`;
}

/** @returns no rows if the token was revoked or has expired */
function readRoomsOfToken(sql: SqlClient, tokenId: string) {
  return sql<RoomPosition[]>`
    select m.room_id, r.last_seq from api_tokens t
    join users u on u.id = t.user_id and u.is_active
    left join memberships m on m.user_id = u.id and not m.is_direct
    left join rooms r on r.id = m.room_id
    where t.id = ${tokenId} and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp())`;
}

/**
 * Reads the rooms of people who are in more or fewer rooms than the registry has.
 * @param isFull reads those of everyone
 */
export function readDifferingRooms(
  sql: SqlClient,
  people: { id: string; roomCount: number }[],
  isFull: boolean,
) {
  return sql<({ user_id: string } & RoomPosition)[]>`
    select person.user_id, m.room_id, r.last_seq
    from unnest(
      ${people.map((person) => person.id)}::uuid[], ${people.map((person) => person.roomCount)}::int[]
    ) as person(user_id, room_count)
    left join memberships m on m.user_id = person.user_id and not m.is_direct
    left join rooms r on r.id = m.room_id
    where ${isFull} or person.room_count <>
      (select count(*) from memberships c where c.user_id = person.user_id and not c.is_direct)`;
}
