import { renderUsers } from "../accounts/user-texts.ts";
import type { SqlClient } from "../database/connect.ts";
import { toStatus } from "../presence/read.ts";
import type { SeatState } from "./access.ts";
import { type MemberHead, readLargeRoomHeads, readOnlineNumbers } from "./member-statements.ts";
import { membersVersionOf, SeatCache } from "./seat-cache.ts";

/** With fewer members the list is read in less time than it takes to find out what has changed. */
export const MIN_LARGE_ROOM = 200;
const MAX_BYTES = 16 * 1024 * 1024;
/** The memory of a cached member, besides the characters of the text. */
const ENTRY_BYTES = 60;

/** A member's JSON up to the status, and the number of the user. */
type Entry = { number: number; start: string };

const caches = new WeakMap<SqlClient, SeatCache<Entry[]>>();

function openCache(): SeatCache<Entry[]> {
  return new SeatCache(MAX_BYTES, (members) =>
    members.reduce((sum, { start }) => sum + start.length + ENTRY_BYTES, ENTRY_BYTES),
  );
}

/**
 * All members of a large room by username. The texts of a room are kept until its members or what is
 * shown of people have changed; who is online is read each time.
 * @param seat as it was just checked
 * @returns the JSON of each `Member`
 */
export async function readLargeRoom(
  sql: SqlClient,
  roomId: string,
  seat: SeatState,
): Promise<string[]> {
  const cache = caches.get(sql) ?? openCache();
  caches.set(sql, cache);
  const [members, online] = await Promise.all([
    cache.read(roomId, membersVersionOf(seat), () => loadEntries(sql, roomId)),
    readOnlineNumbers(sql, roomId),
  ]);
  const isOnline = new Set(online);
  return members.map(({ number, start }) => `${start}${toStatus(isOnline.has(number))}"}`);
}

async function loadEntries(sql: SqlClient, roomId: string) {
  const heads = await readLargeRoomHeads(sql, roomId);
  const people = await renderUsers(sql, heads);
  const value = heads.map((head, index) => ({
    number: head.number,
    start: renderMemberStart(people[index] ?? "", head),
  }));
  return { value, isShared: true };
}

/** @returns the JSON of a `Member` up to its status */
export function renderMemberStart(
  user: string,
  { role, joinedAt }: Pick<MemberHead, "role" | "joinedAt">,
): string {
  return `{"user":${user},"role":"${role}","joined_at":"${joinedAt.toISOString()}","status":"`;
}
