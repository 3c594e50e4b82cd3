import { LRUCache } from "lru-cache";
import { renderUsers } from "../accounts/user-texts.ts";
import type { SqlClient } from "../database/connect.ts";
import { toStatus } from "../presence/read.ts";
import { type MemberHead, readLargeRoomHeads, readLargeRoomState } from "./member-statements.ts";

/** With fewer members the list is read in less time than it takes to find out what has changed. */
export const MIN_LARGE_ROOM = 200;
const MAX_BYTES = 16 * 1024 * 1024;
/** The memory of a cached member, besides the characters of the text. */
const ENTRY_BYTES = 60;

/** A member's JSON up to the status, and the number of the user. */
type Entry = { number: number; start: string };
/** All members of a room by username, as the digest of their rows was. */
type Entries = { digest: string; members: Entry[] };

const caches = new WeakMap<SqlClient, LRUCache<string, Entries>>();

function openCache(): LRUCache<string, Entries> {
  return new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ members }) =>
      members.reduce((sum, { start }) => sum + start.length + ENTRY_BYTES, ENTRY_BYTES),
  });
}

/**
 * All members of a large room by username. The texts of a room are kept, and used while the digest of its
 * members' rows is the same; who is online is read each time.
 * @returns the JSON of each `Member`
 */
export async function readLargeRoom(sql: SqlClient, roomId: string): Promise<string[]> {
  const cache = caches.get(sql) ?? openCache();
  caches.set(sql, cache);
  const { digest, online } = await readLargeRoomState(sql, roomId);
  let entries = cache.get(roomId);
  if (entries?.digest !== digest) {
    entries = await loadEntries(sql, roomId);
    cache.set(roomId, entries);
  }
  const isOnline = new Set(online);
  return entries.members.map(({ number, start }) => `${start}${toStatus(isOnline.has(number))}"}`);
}

async function loadEntries(sql: SqlClient, roomId: string): Promise<Entries> {
  const { digest, heads } = await readLargeRoomHeads(sql, roomId);
  const people = await renderUsers(sql, heads);
  const members = heads.map((head, index) => ({
    number: head.number,
    start: renderMemberStart(people[index] ?? "", head),
  }));
  return { digest, members };
}

/** @returns the JSON of a `Member` up to its status */
export function renderMemberStart(
  user: string,
  { role, joinedAt }: Pick<MemberHead, "role" | "joinedAt">,
): string {
  return `{"user":${user},"role":"${role}","joined_at":"${joinedAt.toISOString()}","status":"`;
}
