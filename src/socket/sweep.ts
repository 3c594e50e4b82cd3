import { readValidCredentials } from "../accounts/credentials.ts";
import { recordTokenUse } from "../accounts/tokens.ts";
import type { SocketDeps } from "./deps.ts";
import type { Person } from "./hub.ts";
import { adoptRooms, type Positions } from "./memberships.ts";
import { announceRooms } from "./signals.ts";

/** People whose rooms one statement compares. */
const PEOPLE_AT_ONCE = 500;

/**
 * Compares what the hub and the feed hold with the database: signals and hints can be lost. First who
 * may hear, and only then what is to be heard, so that nobody hears what came after a right had ended.
 * @param isFull compares each room of each person, else only how many there are
 */
export async function sweepSockets(deps: SocketDeps, isFull: boolean): Promise<void> {
  await closeEnded(deps);
  const granted = await compareRooms(deps, isFull);
  await deps.feed.checkPositions();
  for (const [person, roomIds] of granted) await announceRooms(deps, person, roomIds);
}

/** Closes the sockets whose session or token has ended. */
async function closeEnded({ database, hub }: SocketDeps): Promise<void> {
  const sockets = [...hub.people.values()].flatMap((person) => [...person.sockets]);
  if (sockets.length === 0) return;
  const credentialIds = [...new Set(sockets.map((socket) => socket.data.credentialId))];
  const valid = await readValidCredentials(database.sql, credentialIds);
  const inUse = new Set<string>();
  for (const { data } of sockets) {
    if (!valid.has(data.credentialId)) hub.closeSockets(data.userId, [data.credentialId]);
    else if (data.bot) inUse.add(data.credentialId);
  }
  // A bot that only listens uses its token all the same.
  recordTokenUse(database.sql, [...inUse]);
}

/** @returns the rooms that people were found to be in, which the hub did not hold */
async function compareRooms(
  deps: SocketDeps,
  isFull: boolean,
): Promise<[person: Person, roomIds: string[]][]> {
  const { feed, hub } = deps;
  const people = [...hub.people.values()];
  const granted: [Person, string[]][] = [];
  for (let at = 0; at < people.length; at += PEOPLE_AT_ONCE) {
    const some = people.slice(at, at + PEOPLE_AT_ONCE);
    const before = some.map((person) => person.changes);
    const differing = await readDiffering(deps, some, isFull);
    for (const [i, person] of some.entries()) {
      const positions = differing.get(person.id);
      // Whose rooms have changed meanwhile is compared again by the next sweep.
      if (!positions || person.changes !== before[i] || person.sockets.size === 0) continue;
      const roomIds = adoptRooms(feed, hub, person, positions);
      if (roomIds.length > 0) granted.push([person, roomIds]);
    }
  }
  return granted;
}

type Row = { user_id: string; room_id: string | null; last_seq: number };

/** The rooms of those people who are in more or fewer than the hub holds; of all in a full sweep. */
async function readDiffering(
  { database }: SocketDeps,
  people: Person[],
  isFull: boolean,
): Promise<Map<string, Positions>> {
  const rows = await database.sql<Row[]>`
    select asked.user_id, m.room_id, r.last_seq
    from unnest(
      ${people.map((person) => person.id)}::uuid[], ${people.map((person) => person.rooms.size)}::int[]
    ) as asked(user_id, known)
    left join memberships m on m.user_id = asked.user_id
    left join rooms r on r.id = m.room_id
    where ${isFull} or asked.known <>
      (select count(*) from memberships c where c.user_id = asked.user_id)`;
  const found = new Map<string, Positions>();
  for (const { user_id, room_id, last_seq } of rows) {
    const positions = found.get(user_id) ?? new Map();
    found.set(user_id, positions);
    if (room_id !== null) positions.set(room_id, last_seq);
  }
  return found;
}
