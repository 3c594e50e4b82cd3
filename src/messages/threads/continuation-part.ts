import { MAX_THREAD_AUTHORS } from "../../wire/limits.ts";
import type { Part } from "../part.ts";
import { reply } from "./reply-parts.ts";

/** Replies in a thread that their author follows, as most are: the part of the statement for these. */

/**
 * Of the root and its author, and of the thread after it, as texts: building JSON of these costs several
 * times as much.
 */
const ROOT_TEXTS = `array[root.id::text, root.content, root.author_id::text, root.via_name,
          root_author.username, root_author.display_name, root_author.avatar_version,
          root_author.is_bot::text, root_author.is_active::text]`;
const THREAD_TEXTS = "array[t.title, t.reply_count::text, array_to_string(t.last_author_ids, ' ')]";

/** Who replied last, each once, the newest first. */
const AUTHORS = `case
          when a.replier_ids[1] = all(a.replier_ids) then
            (a.replier_ids[1] || array_remove(t.last_author_ids, a.replier_ids[1]))[1:${MAX_THREAD_AUTHORS}]
          else array(
            select id from unnest(a.replier_ids || t.last_author_ids) with ordinality as b(id, n)
            group by id order by min(n) limit ${MAX_THREAD_AUTHORS}
          ) end`;

/**
 * What `reply` does where every reply of the batch is in a thread that its author follows: both rows are
 * there, so they are updated, and nothing is inserted or announced. If one is missing, or if
 * something has happened in its room since this statement's snapshot, no draft of the batch is written:
 * `begins` says so, and the batch is written with `reply`.
 *
 * What people follow ends with its thread, and the thread with its root: the follower's row says that
 * there are all three. It is followed again after an unfollowing that the snapshot has not.
 */
export const continuation: Part = {
  isNeeded: reply.isNeeded,
  columns: reply.columns,
  joins: `left join lateral (
        select last_seq from rooms where id = room.id limit 1
      ) known on true
      left join lateral (
        select thread_id from thread_follows
        where user_id = i.replier_id and thread_id = i.reply_to_id and is_following limit 1
      ) follow on true
      left join lateral (
        -- Limit: found by its id, and not among all of the room, however few these were when this was planned.
        select * from (select * from messages where id = follow.thread_id limit 1) m
        where room_id = room.id and deleted_at is null and known.last_seq = room.last_seq
      ) root on true
      left join lateral (select * from users where id = root.author_id limit 1) root_author on true`,
  joined: `root.id as thread_id,
        i.reply_to_id is null or room.id is null or root.id is not null as is_continued,
        case when root.id is not null then ${ROOT_TEXTS} end as root_texts`,
  accepts: "(select bool_and(is_continued) from checked)",
  reports: "'begins', not is_continued",
  writes: `answered as materialized (
      select thread_id, min(root_texts) as root_texts, count(*)::int as reply_count, max(seq) as seq,
        max(created_at) as at, array_agg(replier_id order by seq desc) as replier_ids
      from numbered where seq is not null and thread_id is not null group by thread_id
    ), threaded as (
      update threads t set reply_count = t.reply_count + a.reply_count, last_reply_seq = a.seq,
        last_reply_at = a.at, last_author_ids = ${AUTHORS}, resolved_at = null, resolved_by = null
      from answered a where t.message_id = a.thread_id
      returning a.root_texts || ${THREAD_TEXTS} as texts
    ), own_follow as (
      update thread_follows f set is_following = true, read_seq = greatest(f.read_seq, own.seq),
        replied_seq = own.seq
      from (
        select replier_id, thread_id, max(seq) as seq from numbered
        where seq is not null and thread_id is not null
        group by replier_id, thread_id order by thread_id, replier_id
      ) own
      where f.user_id = own.replier_id and f.thread_id = own.thread_id
    )`,
  stores: ["thread_id"],
  shows: "thread_id is not null",
  returns: `thread_id, embeds_more,
      case when n = 1 then (select array_to_json(array_agg(texts)) from threaded) end as thread_texts`,
};
