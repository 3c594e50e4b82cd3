import { SIGNAL_CHANNEL } from "../../feed/channels.ts";
import { FOLLOWS_PER_SIGNAL } from "../../feed/signals.ts";
import { MAX_THREAD_AUTHORS } from "../../wire/limits.ts";
import type { Part } from "../part.ts";
import { ROOT_COLUMN } from "./embeds.ts";

/** What the statement that writes messages does for replies: their thread, and who follows it. */

/** Notifies those who follow a thread from now on. */
const announce = (from: string) => `
      select pg_notify('${SIGNAL_CHANNEL}', json_build_object('kind', 'threads_followed',
        'follows', json_agg(json_build_array(user_id, thread_id, read_seq, replied_seq)))::text)
      from (
        select *, (row_number() over ()) / ${FOLLOWS_PER_SIGNAL} as part from (${from}) f
      ) g group by part`;

/**
 * A reply to a reply joins its thread. The root is read without a lock, unless the room's number is past
 * the one that this statement's snapshot has: then something has happened in the room meanwhile, and the
 * lock finds a root that was deleted gone. What such a reply shows of its root is read afterwards, since
 * the snapshot may have a text from before an edit.
 *
 * Who replies follows, and has read up to there. With the first reply, the author of the root and
 * whom it mentions follow too; a webhook's creator does not. Who follows from now on is notified; that
 * a reply has moved its author's mark is seen in its event.
 */
export const reply: Part = {
  isNeeded: ({ reply_to_id }) => reply_to_id !== null,
  columns: [
    { name: "reply_to_id", type: "uuid", read: ({ reply_to_id }) => reply_to_id },
    {
      name: "replier_id",
      type: "uuid",
      read: ({ via_name, author_id }) => (via_name === null ? author_id : null),
    },
  ],
  roomColumns: "threads",
  joins: `left join lateral (
        -- Limit: found by its id, and not among all of the room, however few these were when this was planned.
        select id, case when via_name is null then author_id end as author_id from (
          select * from messages
          where id = (select coalesce(thread_id, id) from messages where id = i.reply_to_id limit 1)
          limit 1
        ) m
        where room_id = room.id and deleted_at is null
      ) root on true
      left join lateral (
        select last_seq from rooms where id = room.id limit 1
      ) known on true
      left join lateral (
        select id from messages
        where known.last_seq < room.last_seq and id = root.id and deleted_at is null limit 1 for share
      ) locked_root on true
      left join lateral (
        select message_id from threads where message_id = root.id limit 1
      ) thread on true
      left join lateral (
        select is_following from thread_follows
        where user_id = i.replier_id and thread_id = root.id limit 1
      ) follow on true`,
  joined: `root.id as thread_id, root.author_id as root_author_id,
        known.last_seq < room.last_seq as is_late,
        follow.is_following is true as was_following, thread.message_id is null as is_first, case
          when i.reply_to_id is null then null
          when root.id is null or known.last_seq < room.last_seq and locked_root.id is null
            then 'unknown'
          when room.kind = 'direct' or room.threads = 'off' and thread.message_id is null then 'off'
        end as reply_problem`,
  accepts: "reply_problem is null",
  reports: "'thread', reply_problem",
  writes: `answered as materialized (
      select thread_id, room_id, root_author_id, bool_or(is_first) as is_first,
        sum(count)::int as reply_count, min(first_seq) as first_seq, max(seq) as seq, max(at) as at,
        coalesce(
          (array_agg(replier_id order by seq desc) filter (where replier_id is not null))[1:${MAX_THREAD_AUTHORS}],
          '{}') as author_ids
      from (
        select thread_id, room_id, root_author_id, replier_id, bool_or(is_first) as is_first, count(*),
          min(seq) as first_seq, max(seq) as seq, max(created_at) as at
        from numbered where seq is not null and thread_id is not null
        group by thread_id, room_id, root_author_id, replier_id
      ) a group by thread_id, room_id, root_author_id
    ), threaded as (
      insert into threads (message_id, room_id, reply_count, last_reply_seq, last_reply_at, last_author_ids)
      select thread_id, room_id, reply_count, seq, at, author_ids from answered
      on conflict (message_id) do update set
        reply_count = threads.reply_count + excluded.reply_count,
        last_reply_seq = excluded.last_reply_seq, last_reply_at = excluded.last_reply_at,
        last_author_ids = case
          when threads.last_author_ids[1:cardinality(excluded.last_author_ids)] = excluded.last_author_ids
            then threads.last_author_ids
          else array(
            select id from unnest(excluded.last_author_ids || threads.last_author_ids)
              with ordinality as a(id, n)
            group by id order by min(n) limit ${MAX_THREAD_AUTHORS}
          ) end,
        resolved_at = null, resolved_by = null
      returning *
    ), own_follow as (
      insert into thread_follows (user_id, thread_id, room_id, read_seq, replied_seq)
      select replier_id, thread_id, room_id, max(seq), max(seq) from numbered
      where seq is not null and thread_id is not null and replier_id is not null
      group by replier_id, thread_id, room_id order by thread_id, replier_id
      on conflict (user_id, thread_id) do update set is_following = true,
        read_seq = greatest(thread_follows.read_seq, excluded.read_seq),
        replied_seq = excluded.replied_seq
    ), rooted as (
      update messages set has_embeds = true where not has_embeds
        and id = any(array(select thread_id from answered where is_first))
    ), first_follow as (
      -- Nobody's own row is among these, since a statement writes a row once.
      insert into thread_follows (user_id, thread_id, room_id, read_seq)
      select user_id, thread_id, room_id, first_seq - 1 from (
        select root_author_id as user_id, thread_id, room_id, first_seq
        from answered where is_first and root_author_id is not null
        union
        select m.user_id, thread_id, room_id, first_seq from answered
        -- Offset: read by the index for each, however small the table was when this was planned.
        cross join lateral (
          select user_id from message_mentions where message_id = thread_id offset 0
        ) m
        where is_first
      ) f
      cross join lateral (
        select from memberships where room_id = f.room_id and user_id = f.user_id limit 1
      ) member
      where (user_id, thread_id) not in (
        select replier_id, thread_id from numbered
        where seq is not null and thread_id is not null and replier_id is not null
      )
      on conflict (user_id, thread_id) do nothing
      returning user_id, thread_id, read_seq, replied_seq
    ), follow_notified as (${announce(`
        select replier_id as user_id, thread_id, max(seq) as read_seq, max(seq) as replied_seq
        from numbered
        where seq is not null and thread_id is not null and replier_id is not null and not was_following
        group by replier_id, thread_id
        union all select * from first_follow`)}
    )`,
  runs: "follow_notified",
  stores: ["thread_id"],
  shows: "thread_id is not null",
  returns: `thread_id, embeds_more, case when n = 1 then (
        select json_agg(${ROOT_COLUMN}) from threaded t
        cross join lateral (select * from messages where id = t.message_id limit 1) x
        cross join lateral (select * from users where id = x.author_id limit 1) a
        where t.message_id <> all(array(select thread_id from numbered where is_late and seq is not null))
      ) end as threads`,
};

/** Members whom a reply mentions follow its thread, also those who had unfollowed it. */
export const replyMentions: Part = {
  isNeeded: ({ reply_to_id, usernames }) => reply_to_id !== null && usernames.length > 0,
  columns: [],
  writes: `mention_follow as (
      insert into thread_follows (user_id, thread_id, room_id, read_seq)
      select m.user_id, p.thread_id, p.room_id, min(p.seq) - 1 from numbered p
      cross join lateral unnest(string_to_array(p.usernames, ' ')) as t(username)
      cross join lateral (select id from users where username = t.username limit 1) u
      cross join lateral (
        select user_id from memberships where room_id = p.room_id and user_id = u.id limit 1
      ) m
      where p.seq is not null and p.thread_id is not null
        and (m.user_id, p.thread_id) not in (
          select replier_id, thread_id from numbered
          where seq is not null and thread_id is not null and replier_id is not null
        )
        and (m.user_id, p.thread_id) not in (select user_id, thread_id from first_follow)
      group by m.user_id, p.thread_id, p.room_id order by p.thread_id, m.user_id
      on conflict (user_id, thread_id) do update set is_following = true,
        read_seq = greatest(thread_follows.read_seq, excluded.read_seq)
      where not thread_follows.is_following
      returning user_id, thread_id, read_seq, replied_seq
    ), mention_notified as (${announce("select * from mention_follow")}
    )`,
  runs: "mention_notified",
};
