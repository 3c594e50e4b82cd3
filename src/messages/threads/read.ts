import { coalesceReads } from "../../database/coalesce-reads.ts";
import type { SqlClient } from "../../database/connect.ts";
import { decodeCursor, toPage } from "../../platform/cursor.ts";
import { makeInvalid } from "../../platform/refusal.ts";
import { checkSeat, type SeatState } from "../../rooms/access.ts";
import { UUID_PATTERN } from "../../wire/patterns.ts";
import type { Message, Page } from "../../wire/models.ts";
import type { ThreadFollow, ThreadItem, ThreadsQuery } from "../../wire/threads.ts";
import { NOWHERE } from "../lock.ts";
import { toViewersMessage } from "../read.ts";
import { hideRefusedRoom, makeMessageNotFound } from "../refusals.ts";
import { readMessages } from "../statements.ts";
import {
  readFollowedThreads,
  readThreadPlaces,
  readThreadsOfRoom,
  type ThreadListRow,
  type ThreadPlace,
} from "./statements.ts";
import type { FollowRow } from "./follow-statements.ts";

/** The thread that a message is in, or may become the root of, and what the viewer has of it. */
type ThreadPlaceOf = {
  rootId: string;
  roomId: string;
  /** The number of the message. */
  seq: number;
  follow: ThreadFollow;
  seat: SeatState;
};

const readPlace = coalesceReads(readThreadPlaces);

/**
 * Finds the thread of a message, for a member of its room.
 * @throws Refusal `message_not_found`, also if the room is hidden from the viewer; `not_a_member`
 */
export async function findThread(
  sql: SqlClient,
  viewerId: string,
  messageId: string,
): Promise<ThreadPlaceOf> {
  const place = await readPlace(sql, { viewerId, messageId });
  const roomId = place.room_id ?? NOWHERE.roomId;
  const seat = await checkSeat(sql, viewerId, roomId, "member").catch(hideRefusedRoom);
  if (place.root_id === null) throw makeMessageNotFound();
  return { rootId: place.root_id, roomId, seq: place.seq, follow: toFollow(place), seat };
}

/** @param row null for one who never followed it */
export function toFollow(row: FollowRow | null): ThreadFollow {
  return row?.is_following
    ? { is_following: true, read_seq: row.read_seq, replied_seq: row.replied_seq ?? 0 }
    : { is_following: false, read_seq: null, replied_seq: 0 };
}

const byTime = ({ last_reply_at, thread_id }: ThreadListRow) =>
  `${last_reply_at.toISOString()} ${thread_id}`;

/**
 * Lists threads, those with the newest reply first: the caller's, those of them with news, or all of a
 * room.
 * @throws Refusal `validation`; of `checkSeat` for `room_id`
 */
export async function listThreads(
  sql: SqlClient,
  viewerId: string,
  { filter, room_id: roomId, cursor, limit }: ThreadsQuery,
): Promise<Page<ThreadItem>> {
  if (roomId !== undefined) await checkSeat(sql, viewerId, roomId, "member");
  if (filter === "room") {
    if (roomId === undefined) throw makeInvalid("/room_id", "Say which room: give room_id.");
    const key = { roomId, beforeSeq: seqOf(cursor), limit: limit + 1 };
    const rows = await readThreadsOfRoom(sql, viewerId, key);
    return toThreadPage(sql, viewerId, rows, limit, (row) => String(row.last_reply_seq));
  }
  const rows = await readFollowedThreads(sql, viewerId, {
    roomId: roomId ?? null,
    isUnread: filter === "unread",
    before: placeOf(cursor),
    limit: limit + 1,
  });
  return toThreadPage(sql, viewerId, rows, limit, byTime);
}

async function toThreadPage(
  sql: SqlClient,
  viewerId: string,
  rows: ThreadListRow[],
  limit: number,
  keyOf: (row: ThreadListRow) => string,
): Promise<Page<ThreadItem>> {
  const ids = rows.slice(0, limit).map((row) => row.thread_id);
  const found = await readMessages(sql, ids, viewerId);
  const roots = new Map(found.map((row) => [row.id, toViewersMessage(row, viewerId)]));
  const page = toPage(rows, limit, keyOf, (row) => toItem(row, roots.get(row.thread_id)));
  // A message that was deleted between the queries is left out.
  return { ...page, items: page.items.filter((item) => item !== null) };
}

function toItem(row: ThreadListRow, root: Message | undefined): ThreadItem | null {
  if (!root?.thread) return null;
  return {
    root,
    room: { id: row.room_id, name: row.room_name },
    follow: toFollow(row),
    unread_count: row.unread_count,
  };
}

const LATEST: ThreadPlace = {
  at: new Date("9999-01-01T00:00:00Z"),
  threadId: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

function placeOf(cursor: string | undefined): ThreadPlace {
  const key = decodeCursor(cursor);
  if (key === null) return LATEST;
  const [time = "", threadId = ""] = key.split(" ");
  const at = new Date(time);
  if (Number.isNaN(at.getTime()) || !new RegExp(UUID_PATTERN).test(threadId)) throw wrongCursor();
  return { at, threadId };
}

function seqOf(cursor: string | undefined): number {
  const key = decodeCursor(cursor);
  if (key === null) return Number.MAX_SAFE_INTEGER;
  if (!/^\d{1,15}$/.test(key)) throw wrongCursor();
  return Number(key);
}

const wrongCursor = () => makeInvalid("/cursor", "The cursor is not one of this list.");
