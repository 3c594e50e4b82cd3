import { coalesceReads } from "../database/coalesce-reads.ts";
import type { SqlClient } from "../database/connect.ts";
import { invalid } from "../platform/refusal.ts";
import { parseTime } from "../platform/time.ts";
import { checkSeat } from "../rooms/access.ts";
import type { History, Message } from "../wire/models.ts";
import { DEFAULT_PAGE } from "../wire/limits.ts";
import type { HistoryQuery } from "../wire/queries.ts";
import type { NewestPages } from "./newest.ts";
import { readNewer, readOlder, toMessages } from "./read.ts";
import { hideRefusedRoom, makeMessageNotFound } from "./refusals.ts";
import { readSeqAt, type MessageRow, readMessages, readPlaces } from "./statements.ts";

/**
 * Reads a page of a room's history, oldest first: the newest, or the messages before, after or around
 * one, or around the first one at or after a time (the newest if all are older). Ordered by the number
 * in the room's log, which no two messages share.
 * @returns the JSON of a `History`
 * @throws Refusal of `checkSeat`; `message_not_found`, `validation` for more than one anchor or
 * an invalid time
 */
export async function readHistory(
  sql: SqlClient,
  pages: NewestPages,
  viewerId: string,
  roomId: string,
  query: HistoryQuery,
): Promise<string> {
  const seat = await checkSeat(sql, viewerId, roomId, "member");
  const ids = [query.before, query.after, query.around].filter((id) => id !== undefined);
  const anchors = ids.length + (query.at === undefined ? 0 : 1);
  if (anchors > 1) throw invalid("/before", "Give one of before, after, around and at.");
  if (anchors === 0 && query.limit === DEFAULT_PAGE) return pages.read(viewerId, roomId, seat);
  const anchor =
    query.at !== undefined
      ? await readSeqAt(sql, roomId, parseTime(query.at, "/at"), seat.lastSeq)
      : ids[0] === undefined
        ? null
        : await readSeq(sql, roomId, ids[0]);
  const page = await readRows(sql, roomId, anchor, query);
  const items = await toMessages(sql, page.items, viewerId);
  const history: History = { ...page, items, seq: seat.lastSeq };
  return JSON.stringify(history);
}

type Rows = { items: MessageRow[]; has_more_before: boolean; has_more_after: boolean };

async function readRows(
  sql: SqlClient,
  roomId: string,
  anchor: number | null,
  { before, after, limit }: HistoryQuery,
): Promise<Rows> {
  if (anchor === null) {
    const newest = await readOlder(sql, roomId, Number.MAX_SAFE_INTEGER, limit);
    return { items: newest.rows, has_more_before: newest.hasMore, has_more_after: false };
  }
  if (before !== undefined) {
    const older = await readOlder(sql, roomId, anchor, limit);
    return { items: older.rows, has_more_before: older.hasMore, has_more_after: true };
  }
  if (after !== undefined) {
    const newer = await readNewer(sql, roomId, anchor, limit);
    return { items: newer.rows, has_more_before: true, has_more_after: newer.hasMore };
  }
  // Around: the message itself is in the older half.
  const [older, newer] = await Promise.all([
    readOlder(sql, roomId, anchor + 1, Math.ceil(limit / 2)),
    readNewer(sql, roomId, anchor, Math.floor(limit / 2)),
  ]);
  return {
    items: [...older.rows, ...newer.rows],
    has_more_before: older.hasMore,
    has_more_after: newer.hasMore,
  };
}

const readPlace = coalesceReads(readPlaces);

/** @throws Refusal `message_not_found` */
async function readSeq(sql: SqlClient, roomId: string, messageId: string): Promise<number> {
  const place = await readPlace(sql, messageId);
  if (place?.room_id !== roomId) throw makeMessageNotFound();
  return place.seq;
}

/**
 * Reads a message for a member of its room.
 * @throws Refusal `message_not_found`, also if the room is hidden from the viewer; `not_a_member`
 */
export async function getMessage(
  sql: SqlClient,
  viewerId: string,
  messageId: string,
): Promise<Message> {
  const [row] = await readMessages(sql, [messageId]);
  if (!row) throw makeMessageNotFound();
  await checkSeat(sql, viewerId, row.room_id, "member").catch(hideRefusedRoom);
  const [message] = await toMessages(sql, [row], viewerId);
  return message as Message;
}
