/** Hand-written SQL: JSON of uploads and rooms in the same read. */
import { NO_THREAD } from "../database/schema.ts";
import type { SqlClient } from "../database/connect.ts";
import { type KeptColumns, keptColumns, keptJoins } from "./kept-columns.ts";

export type DraftRow = KeptColumns & {
  thread_id: string | null;
  content: string | null;
  quote_id: string | null;
  client_id: string | null;
  version: number;
  device: string | null;
  updated_at: Date;
};

const columns = (sql: SqlClient) => sql`
  d.room_id, nullif(d.thread_id, ${NO_THREAD}::uuid) as thread_id, d.content, d.quote_id, d.client_id,
  d.version, d.device, d.updated_at, ${sql.unsafe(keptColumns("d"))}`;

/** SQL: whether a row `d` is a draft, not a tombstone. */
const IS_LIVE = "num_nonnulls(d.content, d.quote_id, d.image_id, d.file_id) > 0";

/**
 * Someone's drafts, the last changed first.
 * @param after adds the tombstones that were written later
 */
export function readDrafts(sql: SqlClient, userId: string, after: Date | null) {
  return sql<DraftRow[]>`
    select ${columns(sql)} from drafts d ${sql.unsafe(keptJoins("d"))}
    where d.user_id = ${userId} and (${sql.unsafe(IS_LIVE)} or d.updated_at > ${after}::timestamptz)
    order by d.updated_at desc, d.room_id, d.thread_id`;
}

/** One draft or tombstone; no row if there was never one. */
export function readDraft(sql: SqlClient, userId: string, roomId: string, threadId: string | null) {
  return sql<DraftRow[]>`
    select ${columns(sql)} from drafts d ${sql.unsafe(keptJoins("d"))}
    where d.user_id = ${userId} and d.room_id = ${roomId} and d.thread_id = ${threadId ?? NO_THREAD}`;
}

/** Deletes a batch of drafts that are too old, and of tombstones that no device needs any more. */
export async function deleteOldDrafts(
  sql: SqlClient,
  { draftDays, tombstoneDays, limit }: { draftDays: number; tombstoneDays: number; limit: number },
): Promise<number> {
  const { count } = await sql`
    delete from drafts where (user_id, room_id, thread_id) in (
      select user_id, room_id, thread_id from drafts d
      where d.updated_at < clock_timestamp() - ${tombstoneDays} * interval '1 day'
        and (d.updated_at < clock_timestamp() - ${draftDays} * interval '1 day'
          or not ${sql.unsafe(IS_LIVE)})
      limit ${limit})`;
  return count;
}
