import type { SqlClient } from "../database/connect.ts";
import { SMALLEST_ID } from "../platform/cursor.ts";
import { Slices } from "../platform/slices.ts";
import { findUnfilledRooms, readMessagesBackward, writeBackward } from "./backward-statements.ts";
import {
  readUnindexedEntries,
  restartRooms,
  type Step,
  type UnindexedEntry,
  writeForward,
} from "./forward-statements.ts";
import {
  addSearchRooms,
  type IndexRow,
  readIndexedMessages,
  removeLeftoverRows,
  renewSearchRooms,
} from "./index-statements.ts";
import { type IndexedMessageRow, makeSearchVector } from "./tokens.ts";

/** Types of log entries, besides new messages, that change the words by which a message is found. */
const CHANGES: UnindexedEntry["type"][] = ["link_preview", "thread"];
/** Entries of logs that one statement indexes. */
const FORWARD_BATCH = 500;
/** Older messages, and rooms, of one turn. */
const BACKWARD_BATCH = 2_000;
const BACKWARD_ROOMS = 20;
/** Rows that one statement writes. */
const WRITE_BATCH = 500;
/** How long a job indexes older messages before others have their turn. */
const BACKWARD_MS = 2_000;
const LEFTOVER_BATCH = 5_000;

/** Indexes what has happened in the rooms of these shards, behind the posting of messages. */
export async function indexShards(
  sql: SqlClient,
  shards: number[],
  signal: AbortSignal,
): Promise<void> {
  await addSearchRooms(sql, shards);
  while (!signal.aborted) {
    const entries = await readUnindexedEntries(sql, shards, FORWARD_BATCH);
    if (entries.length > 0) await indexEntries(sql, entries);
    if (entries.length < FORWARD_BATCH) return;
  }
}

/** Indexes entries of logs. A room whose log was pruned is indexed again as a whole. */
async function indexEntries(sql: SqlClient, entries: UnindexedEntry[]): Promise<void> {
  const steps: Step[] = [];
  const pruned: Step[] = [];
  for (const [roomId, ofRoom] of Map.groupBy(entries, ({ room_id }) => room_id)) {
    const [first, last] = [ofRoom[0], ofRoom.at(-1)];
    if (!first || !last) continue;
    const from = first.after_seq;
    if (first.seq === from + 1) steps.push({ roomId, from, to: last.seq ?? from });
    else pruned.push({ roomId, from, to: first.last_seq });
  }
  if (pruned.length > 0) await restartRooms(sql, pruned);
  if (steps.length === 0) return;
  const isFollowed = new Set(steps.map(({ roomId }) => roomId));
  const named = entries.flatMap(({ room_id, message_id, type }) => {
    const changesIndex = type.startsWith("message") || CHANGES.includes(type);
    return message_id !== null && changesIndex && isFollowed.has(room_id) ? [message_id] : [];
  });
  const ids = [...new Set(named)];
  const messages = ids.length === 0 ? [] : await readIndexedMessages(sql, ids);
  const exists = new Set(messages.map(({ id }) => id));
  const removedIds = ids.filter((id) => !exists.has(id));
  const rows = await new Slices().map(messages, toIndexRow);
  await writeForward(sql, steps, rows, removedIds);
}

function toIndexRow(row: IndexedMessageRow): IndexRow {
  const { id, room_id: roomId, author_number: authorNumber } = row;
  return { id, roomId, authorNumber, words: makeSearchVector(row) };
}

/**
 * Indexes the messages of a shard that were there before the index, or that an older version has
 * indexed: from the newest backward, some at a time, and not more than half of the time.
 */
export async function backfillShard(
  sql: SqlClient,
  shard: number,
  signal: AbortSignal,
  rest: (ms: number) => Promise<unknown> = Bun.sleep,
): Promise<void> {
  await renewSearchRooms(sql, shard);
  const until = performance.now() + BACKWARD_MS;
  while (!signal.aborted && performance.now() < until) {
    const started = performance.now();
    if (!(await backfillSome(sql, shard))) return;
    await rest(performance.now() - started);
  }
}

/** @returns false if there is nothing left to do */
async function backfillSome(sql: SqlClient, shard: number): Promise<boolean> {
  const rooms = await findUnfilledRooms(sql, shard, BACKWARD_ROOMS);
  if (rooms.length === 0) return false;
  const limit = Math.ceil(BACKWARD_BATCH / rooms.length);
  const messages = await readMessagesBackward(sql, rooms, limit);
  const byRoom = Map.groupBy(messages, ({ room_id }) => room_id);
  let batch: (typeof rooms)[number][] = [];
  let rows: IndexRow[] = [];
  const slices = new Slices();
  const write = async () => {
    const moved = batch.map((room) => {
      const ofRoom = byRoom.get(room.room_id) ?? [];
      // Fewer than the limit: there are no older ones.
      const isWhole = ofRoom.length < limit;
      return { ...room, to: isWhole ? 0 : Math.min(...ofRoom.map(({ seq }) => seq)) };
    });
    if (moved.length > 0) await writeBackward(sql, moved, rows);
    [batch, rows] = [[], []];
  };
  for (const room of rooms) {
    batch.push(room);
    rows.push(...(await slices.map(byRoom.get(room.room_id) ?? [], toIndexRow)));
    if (rows.length >= WRITE_BATCH) await write();
  }
  await write();
  return true;
}

/** Removes what is left in the index of messages that no longer exist. */
export async function pruneSearchIndex(sql: SqlClient, signal: AbortSignal): Promise<void> {
  for (let after: string | null = SMALLEST_ID; after !== null && !signal.aborted;) {
    after = await removeLeftoverRows(sql, after, LEFTOVER_BATCH);
  }
}
