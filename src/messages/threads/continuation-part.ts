import { MAX_THREAD_AUTHORS } from "../../wire/limits.ts";
import type { Part } from "../part.ts";
import { MAX_REPLIED_SEQS_BYTES } from "./marks.ts";
import { reply } from "./reply-parts.ts";

/** Replies in a thread that their author follows, as most are: the part of the statement for these. */

/**
 * Of the root and its author, and of the thread after it, as texts: building JSON of these costs several
 * times as much.
 */
const ROOT_TEXTS = `array[m.id::text, m.content, m.author_id::text, m.via_name,
          u.username, u.display_name, u.avatar_version, u.is_bot::text, u.is_active::text]`;
const THREAD_TEXTS = "array[t.title, t.reply_count::text, array_to_string(t.last_author_ids, ' ')]";

/**
 * The texts of the root of a draft `i`, if its author follows the thread and nothing has happened in the
 * room since this statement's snapshot. One value, and not columns of joins: each of these would cost the
 * start of every statement as much again. Limits: each is found by its key, however few rows its table
 * had when this was planned.
 */
const ROOT = `(
        select ${ROOT_TEXTS}
        from (select last_seq from rooms where id = room.id limit 1) known
        cross join lateral (
          select from thread_follows
          where user_id = i.replier_id and thread_id = i.reply_to_id and is_following limit 1
        ) follow
        cross join lateral (select * from messages where id = i.reply_to_id limit 1) m
        cross join lateral (select * from users where id = m.author_id limit 1) u
        where known.last_seq = room.last_seq and m.room_id = room.id and m.deleted_at is null
      )`;

const IS_CONTINUED = "(reply_to_id is null or kind is null or root_texts is not null)";

/** Who replied last, each once, the newest first. */
const AUTHORS = `case
          when t.last_author_ids[1] = all(a.replier_ids) then t.last_author_ids
          when a.replier_ids[1] = all(a.replier_ids) then
            (a.replier_ids[1] || array_remove(t.last_author_ids, a.replier_ids[1]))[1:${MAX_THREAD_AUTHORS}]
          else array(
            select id from unnest(a.replier_ids || t.last_author_ids) with ordinality as b(id, n)
            group by id order by min(n) limit ${MAX_THREAD_AUTHORS}
          ) end`;

/** What a batch adds to each thread, in the order of their ids. */
const ADDED = {
  once: `thread_id, root_texts, 1 as reply_count, seq, created_at as at,
        array[replier_id] as replier_ids, jsonb_build_object(replier_id, seq) as replied_seqs
      from numbered where seq is not null and thread_id is not null order by thread_id`,
  often: `thread_id, min(root_texts) as root_texts, count(*)::int as reply_count, max(seq) as seq,
        max(created_at) as at, array_agg(replier_id order by seq desc) as replier_ids,
        jsonb_object_agg(replier_id, seq order by seq) as replied_seqs
      from numbered where seq is not null and thread_id is not null group by thread_id`,
};

/**
 * What `reply` does where every reply of the batch is in a thread that its author follows: nothing is
 * inserted or announced, and the author's mark is kept with the thread, as long as it has room for it. If
 * a row is missing, or if something has happened in its room since this statement's snapshot, no draft of
 * the batch is written: `begins` says so, and the batch is written with `reply`.
 *
 * What people follow ends with its thread, and the thread with its root: the follower's row says that
 * there are all three.
 * @param replies how often a thread is in the batch: once, or perhaps more often
 */
const continueThreads = (replies: keyof typeof ADDED): Part => ({
  isNeeded: reply.isNeeded,
  columns: reply.columns,
  joined: `i.reply_to_id as thread_id,
        case when i.reply_to_id is not null then ${ROOT} end as root_texts`,
  accepts: `(select bool_and(${IS_CONTINUED}) from checked)`,
  reports: `'begins', not ${IS_CONTINUED}`,
  writes: `answered as materialized (
      select ${ADDED[replies]}
    ), threaded as (
      update threads t set reply_count = t.reply_count + a.reply_count, last_reply_seq = a.seq,
        last_reply_at = a.at, last_author_ids = ${AUTHORS}, resolved_at = null, resolved_by = null,
        replied_seqs = case
          when pg_column_size(t.replied_seqs || a.replied_seqs) <= ${MAX_REPLIED_SEQS_BYTES}
          then t.replied_seqs || a.replied_seqs else t.replied_seqs end
      from answered a
      where t.message_id = any(array(select thread_id from answered)) and t.message_id = a.thread_id
      returning a.root_texts || ${THREAD_TEXTS} as texts, a.thread_id,
        case when not t.replied_seqs @> a.replied_seqs then a.replied_seqs end as more_seqs
    ), own_follow as (
      update thread_follows f set read_seq = greatest(f.read_seq, own.seq), replied_seq = own.seq
      from (
        select key::uuid as user_id, thread_id, value::bigint as seq
        from threaded cross join lateral jsonb_each(more_seqs) order by thread_id, user_id
      ) own
      where f.thread_id = any(array(select thread_id from threaded where more_seqs is not null))
        and f.user_id = own.user_id and f.thread_id = own.thread_id
    )`,
  stores: ["thread_id"],
  shows: "thread_id is not null",
  returns: `thread_id, embeds_more,
      case when n = 1 then (select array_to_json(array_agg(texts)) from threaded) end as thread_texts`,
});

export const continuations = { once: continueThreads("once"), often: continueThreads("often") };
