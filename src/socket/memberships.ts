import { makeEndedCredentialRefusal } from "../authentication/credentials.ts";
import type { SqlClient } from "../database/connect.ts";
import type { SocketDeps } from "./deps.ts";
import type { Person, SocketData } from "./socket.ts";

/** The rooms that someone is in, each with the last number of its log at that moment. */
type Positions = Map<string, number>;

async function readPositions(sql: SqlClient, userId: string): Promise<Positions> {
  const rows = await sql<RoomPosition[]>`
    select m.room_id, r.last_seq from memberships m join rooms r on r.id = m.room_id
    where m.user_id = ${userId} and not m.is_direct`;
  return toPositions(rows);
}

/**
 * Checks a session or token, and reads the rooms of its user in the same statement.
 * @throws Refusal `unauthenticated`, `invalid_token`
 */
export async function readPositionsByCredential(
  sql: SqlClient,
  { credentialId, token }: Pick<SocketData, "credentialId" | "token">,
): Promise<Positions> {
  const credential = token
    ? sql`api_tokens c where c.id = ${credentialId} and c.revoked_at is null
        and (c.expires_at is null or c.expires_at > clock_timestamp())`
    : sql`sessions c where c.id = ${credentialId} and c.expires_at > clock_timestamp()
        and not c.is_restricted`;
  const rows = await sql<RoomPosition[]>`
    select m.room_id, r.last_seq from (select c.user_id from ${credential}) credential
    join users u on u.id = credential.user_id and u.is_active
    left join memberships m on m.user_id = u.id and not m.is_direct
    left join rooms r on r.id = m.room_id`;
  if (rows.length === 0) throw makeEndedCredentialRefusal(token !== null);
  return toPositions(rows);
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
  deps: Pick<SocketDeps, "database" | "feed" | "connections">,
  person: Person,
  read = () => readPositions(deps.database.sql, person.id),
): Promise<string[]> {
  for (;;) {
    const { changes } = person;
    const positions = await read();
    // The person was added to or removed from a room meanwhile, so what was read is stale.
    if (person.changes !== changes) continue;
    return person.sockets.size > 0 ? adoptRooms(deps, person, positions) : [];
  }
}

/** @returns the rooms that are new to the registry, and conversations that have become rooms */
export function adoptRooms(
  { feed, connections }: Pick<SocketDeps, "feed" | "connections">,
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
