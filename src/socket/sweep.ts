import { readValidCredentials } from "../authentication/credentials.ts";
import { recordTokenUse } from "../authentication/tokens.ts";
import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { describeCause, getLogger } from "../platform/log.ts";
import type { SocketDeps } from "./deps.ts";
import { adoptRooms, readDifferingRooms, toPositions } from "./memberships.ts";
import { announceRooms } from "./signals.ts";
import type { Person } from "./socket.ts";

const log = getLogger("socket");

const MAX_PEOPLE_PER_READ = 500;

export type Sweeps = {
  soon(): void;
  /** Sweeps in full: notifications may have been lost. */
  now(): void;
  stop(): void;
};

/**
 * Sweeps periodically, one sweep at a time.
 * @param fullEvery every n-th sweep is a full one
 */
export function startSweeps(deps: SocketDeps, everyMs: number, fullEvery: number): Sweeps {
  let count = 0;
  const sweeps = new Coalescer(async (requests: ("full" | "short")[]) => {
    try {
      await sweepSockets(deps, requests.includes("full"));
    } catch (error) {
      log.warn("A sweep of the sockets failed; the next one retries.", {
        error: describeCause(error),
      });
    }
  });
  const timer = setInterval(() => {
    count += 1;
    sweeps.add(count % fullEvery === 0 ? "full" : "short");
  }, everyMs);
  return {
    soon: () => void sweeps.add("short"),
    now: () => void sweeps.add("full"),
    stop() {
      clearInterval(timer);
      void sweeps.stop();
    },
  };
}

/**
 * Compares the registry and the feed with the database, because signals and hints can be lost. Memberships are
 * read after the logs' positions, and before events up to those are published, so that nobody receives an event
 * that happened after they lost access.
 * @param isFull compares each room of each person, otherwise only the number of their rooms
 */
async function sweepSockets(deps: SocketDeps, isFull: boolean): Promise<void> {
  let newRooms: RoomsOfPeople = [];
  await deps.feed.checkPositions(async () => {
    await closeEndedSockets(deps);
    newRooms = await compareRooms(deps, isFull);
  });
  await deps.conversations.sweep();
  for (const [person, roomIds] of newRooms) await announceRooms(deps, person, roomIds);
}

async function closeEndedSockets({
  database,
  connections,
  broadcaster,
}: SocketDeps): Promise<void> {
  const sockets = [...connections.people.values()].flatMap((person) => [...person.sockets]);
  if (sockets.length === 0) return;
  const credentialIds = [...new Set(sockets.map((socket) => socket.data.credentialId))];
  const valid = await readValidCredentials(database.sql, credentialIds);
  const usedTokens = new Set<string>();
  for (const { data } of sockets) {
    if (!valid.has(data.credentialId)) broadcaster.closeSockets(data.id, [data.credentialId]);
    else if (data.token) usedTokens.add(data.credentialId);
  }
  // A bot that only listens is using its token.
  recordTokenUse(database.sql, [...usedTokens]);
}

/** People's rooms that were new to the registry. */
type RoomsOfPeople = [person: Person, roomIds: string[]][];

async function compareRooms(deps: SocketDeps, isFull: boolean): Promise<RoomsOfPeople> {
  const { database, connections } = deps;
  const people = [...connections.people.values()];
  const newRooms: RoomsOfPeople = [];
  for (let start = 0; start < people.length; start += MAX_PEOPLE_PER_READ) {
    const batch = people.slice(start, start + MAX_PEOPLE_PER_READ);
    const before = batch.map((person) => person.changes);
    const counts = batch.map(({ id, rooms, formerConversations }) => {
      const conversations = [...rooms.keys()].filter((roomId) =>
        connections.conversations.has(roomId),
      );
      // Leaves out rooms that were not announced, so that the numbers differ and the rooms are
      // announced.
      return { id, roomCount: rooms.size - conversations.length - formerConversations.size };
    });
    const rows = await readDifferingRooms(database.sql, counts, isFull);
    const rowsByPerson = Map.groupBy(rows, (row) => row.user_id);
    for (const [i, person] of batch.entries()) {
      const rooms = rowsByPerson.get(person.id);
      // The next sweep compares rooms that have changed meanwhile.
      if (!rooms || person.changes !== before[i] || person.sockets.size === 0) continue;
      const roomIds = adoptRooms(deps, person, toPositions(rooms));
      if (roomIds.length > 0) newRooms.push([person, roomIds]);
    }
  }
  return newRooms;
}
