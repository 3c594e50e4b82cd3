import type { SqlClient } from "../database/connect.ts";
import { countUnindexed, reindexRooms } from "./status-statements.ts";
import { Refusal } from "../platform/refusal.ts";

/** The state of the index. */
export type SearchStatus = {
  rooms: number;
  /** Rooms whose older messages are still being indexed. */
  incomplete_rooms: number;
  /** Entries of the rooms' logs that are not indexed yet. */
  lag: number;
  /** Messages in the index, as PostgreSQL estimates, and its size on disk in bytes. */
  messages: number;
  size_bytes: number;
};

/** How far the index has come, and how large it is in bytes. */
export async function readSearchStatus(sql: SqlClient): Promise<SearchStatus> {
  const { rooms, incomplete_rooms, lag, messages, size_bytes } = await countUnindexed(sql);
  return { rooms, incomplete_rooms, lag, messages: Math.max(0, messages), size_bytes };
}

/**
 * Has the messages of one room, or of all, indexed again by the running service.
 * @returns how many rooms
 * @throws Refusal `room_not_found`
 */
export async function requestReindex(sql: SqlClient, roomName: string | null): Promise<number> {
  const count = await reindexRooms(sql, roomName);
  if (count === 0 && roomName !== null) {
    throw new Refusal("room_not_found", `There is no room ${roomName}.`);
  }
  return count;
}
