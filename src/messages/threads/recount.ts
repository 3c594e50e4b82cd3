import { sql } from "drizzle-orm";
import type { Transaction } from "../../database/connect.ts";
import { MAX_THREAD_AUTHORS } from "../../wire/limits.ts";

/** What is left of a thread. */
type Recounted = {
  id: string;
  has_replies: boolean;
  /** Its root had been deleted before, and went with the last reply. */
  is_root_gone: boolean;
};

/**
 * Counts threads again after replies of theirs were deleted, under the room's lock: their number, the
 * last of them and who wrote it are those of replies that exist. A thread without a reply is deleted
 * with all that follows it, and its root too if that was deleted before.
 */
export async function recountThreads(tx: Transaction, rootIds: string[]): Promise<Recounted[]> {
  if (rootIds.length === 0) return [];
  return tx.execute<Recounted>(sql`
    with counted as materialized (
      select root.id, replies.count, last.seq, last.created_at, authors.ids
      from unnest(${sql.param(rootIds)}::uuid[]) as root(id)
      cross join lateral (
        select count(*)::int as count from messages where thread_id = root.id
      ) replies
      left join lateral (
        select seq, created_at from messages where thread_id = root.id order by seq desc limit 1
      ) last on true
      cross join lateral (
        select coalesce(array_agg(author_id order by seq desc), '{}') as ids from (
          select author_id, max(seq) as seq from messages
          where thread_id = root.id and via_name is null
          group by author_id order by seq desc limit ${MAX_THREAD_AUTHORS}
        ) a
      ) authors
    ), kept as (
      update threads set reply_count = counted.count, last_reply_seq = counted.seq,
        last_reply_at = counted.created_at, last_author_ids = counted.ids
      from counted where threads.message_id = counted.id and counted.count > 0
    ), ended as (
      delete from threads where message_id = any(array(select id from counted where count = 0))
    ), gone as (
      delete from messages where deleted_at is not null
        and id = any(array(select id from counted where count = 0))
      returning id
    )
    select id, count > 0 as has_replies, id in (select id from gone) as is_root_gone from counted`);
}
