import type { SqlClient } from "../database/connect.ts";
import { makeInvalid } from "../platform/refusal.ts";
import { parseTime } from "../platform/time.ts";
import type { HistoryQuery } from "../wire/queries.ts";

type Anchors = Pick<HistoryQuery, "before" | "after" | "around" | "at">;
import { makeMessageNotFound } from "./refusals.ts";
import {
  type Anchor,
  type EmbeddingRow,
  readMessagesAfter,
  readMessagesBefore,
  readSeqAt,
} from "./statements.ts";
import { prepareExcerpts } from "./threads/embeds.ts";

/** The viewer, the room, and the thread if the page is of one. */
export type PageOwner = {
  roomId: string;
  viewerId: string;
  lastSeq: number;
  threadId?: string;
  /** Without replies. */
  isTop?: boolean;
};
/** A page of a room's history, the oldest first. */
type PageRows = { rows: EmbeddingRow[]; hasMoreBefore: boolean; hasMoreAfter: boolean };

/** The anchors of a query, of which there may be one. @throws Refusal `validation` for more */
export function checkAnchors({ before, after, around, at }: Anchors): void {
  const given = [before, after, around, at].filter((one) => one !== undefined);
  if (given.length > 1) throw makeInvalid("/before", "Give one of before, after, around and at.");
}

/**
 * Reads a page of a room's history, or of a thread's replies: the newest, or the messages before, after or around one, or around
 * the first one at or after a time (the newest if all are older).
 * @throws Refusal `message_not_found`; `validation` for an impossible time
 */
export async function readPageRows(
  sql: SqlClient,
  owner: PageOwner,
  { before, after, around, at, limit }: Anchors & { limit: number },
): Promise<PageRows> {
  if (after !== undefined) {
    const newer = await readNewer(sql, owner, { id: after }, limit);
    return { rows: newer.rows, hasMoreBefore: true, hasMoreAfter: newer.hasMore };
  }
  const anchor = around === undefined ? await findTime(sql, owner, at) : { id: around };
  if (anchor) return readAround(sql, owner, anchor, limit);
  const newest = { seq: Number.MAX_SAFE_INTEGER - 1 };
  const older = await readOlder(sql, owner, before ? { id: before } : newest, limit);
  return { rows: older.rows, hasMoreBefore: older.hasMore, hasMoreAfter: before !== undefined };
}

async function findTime(sql: SqlClient, { roomId, lastSeq }: PageOwner, at: string | undefined) {
  if (at === undefined) return null;
  const seq = await readSeqAt(sql, roomId, parseTime(at, "/at"), lastSeq);
  return seq === null ? null : { seq };
}

/** The anchor itself is in the older half. */
async function readAround(sql: SqlClient, owner: PageOwner, anchor: Anchor, limit: number) {
  const [older, newer] = await Promise.all([
    readOlder(sql, owner, anchor, Math.ceil(limit / 2), true),
    readNewer(sql, owner, anchor, Math.floor(limit / 2)),
  ]);
  return {
    rows: [...older.rows, ...newer.rows],
    hasMoreBefore: older.hasMore,
    hasMoreAfter: newer.hasMore,
  };
}

async function readOlder(
  sql: SqlClient,
  owner: PageOwner,
  anchor: Anchor,
  limit: number,
  isIncluded = false,
) {
  const key = { ...owner, anchor, limit: limit + 1, isIncluded };
  const found = toRows(await readMessagesBefore(sql, key));
  await prepareExcerpts(found.map(({ embeds }) => embeds));
  return { rows: found.slice(0, limit).reverse(), hasMore: found.length > limit };
}

async function readNewer(sql: SqlClient, owner: PageOwner, anchor: Anchor, limit: number) {
  const key = { ...owner, anchor, limit: limit + 1 };
  const found = toRows(await readMessagesAfter(sql, key));
  await prepareExcerpts(found.map(({ embeds }) => embeds));
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

/** @throws Refusal `message_not_found` where the anchor was not found */
function toRows(rows: (EmbeddingRow | { id: null })[]): EmbeddingRow[] {
  if (rows.length === 0) throw makeMessageNotFound();
  return rows.filter((row) => row.id !== null);
}
