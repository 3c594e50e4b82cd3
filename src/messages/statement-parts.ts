import { NO_THREAD } from "../database/schema.ts";
import { SIGNAL_CHANNEL } from "../feed/channels.ts";
import { FOLLOWS_PER_SIGNAL } from "../feed/signals.ts";
import { insertJobsText } from "../jobs-queue/enqueue.ts";
import { MAX_THREAD_AUTHORS } from "../wire/limits.ts";
import type { NewMessage } from "./new-message.ts";
import {
  CONNECTED_MEMBERS,
  MAY_BROADCAST,
  MENTIONED_MEMBERS,
  REFERENCED_ROOMS,
} from "./references.ts";
import { ROOT_COLUMN } from "./embeds.ts";

/** A list that the statement gets: one value of each message, as a column of `input`. */
export type Column = {
  name: string;
  type: "uuid" | "text";
  read(message: NewMessage): string | null;
};

/**
 * What the statement that writes messages does beside writing their text, for messages that need it.
 * `input` has the messages, `room` the locked rooms, `checked` both with the author (`u`), and `numbered`
 * also `seq`, which is null for a message that is refused.
 */
export type Part = {
  isNeeded(message: NewMessage): boolean;
  columns: Column[];
  /** Columns of a room that it reads. */
  roomColumns?: string;
  /** CTEs that lock rows, once the rooms are locked. */
  locks?: string;
  /** Joins of `checked`, each with at most one row for a message. */
  joins?: string;
  /** Columns that its joins bring to `checked`. */
  joined?: string;
  /** A condition of `checked`, without which the credential of a message (`i`) is not valid. */
  validates?: string;
  /** A condition of `i` that allows to post without a membership: `is_allowed`. */
  allows?: string;
  /** A condition of `checked` for a message to be written. */
  accepts?: string;
  /** A key and a condition of `numbered`, of a `RefusedMessage`. */
  reports?: string;
  /** CTEs that write, from `numbered`. */
  writes?: string;
  /** One of these CTEs that only selects, and is run although nothing reads it. */
  runs?: string;
  /** Columns of `messages` that it fills from its own of the same name. */
  stores?: string[];
  /**
   * A condition of `numbered` for a message that embeds something of another table, which is read after
   * it; `EMBEDDING_COLUMNS` say so of what it stores.
   */
  embeds?: string;
  /** A condition of `numbered` for a message that shows something which the statement returns itself. */
  shows?: string;
  /** Columns of the result, from `embedding`, in which `n` counts the messages from 1. */
  returns?: string;
};

/** A bot's token, while it is valid; the session of a person is checked for every message. */
const token: Part = {
  isNeeded: ({ token_id }) => token_id !== null,
  columns: [{ name: "token_id", type: "uuid", read: ({ token_id }) => token_id }],
  joins: `left join lateral (
        select id from api_tokens
        where id = i.token_id and user_id = i.author_id and revoked_at is null
          and (expires_at is null or expires_at > clock_timestamp()) limit 1
      ) token on true`,
  validates: "(i.token_id is null or token.id is not null and u.is_active)",
};

/**
 * Messages of an incoming webhook, which may post whatever its author may do in the room, until it is
 * deleted.
 */
const via: Part = {
  isNeeded: ({ via_name }) => via_name !== null,
  columns: [
    { name: "via_name", type: "text", read: ({ via_name }) => via_name },
    { name: "via_icon_emoji", type: "text", read: ({ via_icon_emoji }) => via_icon_emoji },
    { name: "via_webhook_id", type: "uuid", read: ({ via_webhook_id }) => via_webhook_id },
  ],
  joins: `left join lateral (
        select id from incoming_webhooks where id = i.via_webhook_id limit 1
      ) webhook on true`,
  validates: "(i.via_webhook_id is null or webhook.id is not null)",
  allows: "i.via_name is not null",
  stores: ["via_name", "via_icon_emoji"],
};

/**
 * Uploads of one table: of the author, for that room, and not yet used. Locked, so that none is deleted
 * as unused before its message exists. The first message of a batch that names an upload gets it.
 */
function claimUploads(name: "image" | "file", table: string): Part {
  const id = `${name}_id` as const;
  return {
    isNeeded: (message) => message[id] !== null,
    columns: [{ name: id, type: "uuid", read: (message) => message[id] }],
    locks: `${name} as materialized (
      select m.id, m.room_id, m.uploader_id from (
        select distinct ${id}, room_id, author_id from input
        where ${id} is not null and (room_id in (select id from room)) is true
      ) p
      join ${table} m on m.id = p.${id} and m.room_id = p.room_id and m.uploader_id = p.author_id
      left join lateral (select id from messages where ${id} = m.id limit 1) used on true
      where used.id is null
      for key share of m
    )`,
    accepts: `(${id} is null or (${id}, room_id, author_id) in (select * from ${name})
      and row_number() over (
        partition by ${id}, room_id, author_id, is_valid, repeated_id is null order by n
      ) = 1)`,
    stores: [id],
  };
}

/** What goes with an upload: the words for an image, and the messages that it was sent with. */
const sending: Part = {
  isNeeded: ({ image_alt, group_id }) => image_alt !== null || group_id !== null,
  columns: [
    { name: "image_alt", type: "text", read: ({ image_alt }) => image_alt },
    { name: "group_id", type: "uuid", read: ({ group_id }) => group_id },
  ],
  stores: ["image_alt", "group_id"],
};

/** The first URL of the text, whose preview a job looks up. */
const preview: Part = {
  isNeeded: ({ preview_url }) => preview_url !== null,
  columns: [
    { name: "preview_url", type: "text", read: ({ preview_url }) => preview_url },
    { name: "job_id", type: "uuid", read: (message) => message.preview_url && Bun.randomUUIDv7() },
  ],
  writes: `queued as (${insertJobsText(
    "link_preview",
    `select job_id, jsonb_build_object('url', preview_url, 'messageId', id) from numbered
        where seq is not null and preview_url is not null`,
  )})`,
  stores: ["preview_url"],
};

/** Names hold no blank: one text per message keeps them with it, without a second list to join. */
const joinNames = (names: string[]) => (names.length === 0 ? null : names.join(" "));

/** Members of the room that the text names. */
const mentions: Part = {
  isNeeded: ({ usernames }) => usernames.length > 0,
  columns: [{ name: "usernames", type: "text", read: ({ usernames }) => joinNames(usernames) }],
  writes: `mention as materialized (
      select p.id as message_id, p.room_id, p.seq, p.created_at, m.user_id from numbered p
      ${MENTIONED_MEMBERS}
      where p.seq is not null
    ), mentioned as (
      insert into message_mentions (message_id, user_id, room_id, seq, created_at)
      select message_id, user_id, room_id, seq, created_at from mention
    )`,
  embeds: "id in (select message_id from mention)",
};

/** Rooms of the author that the text names. */
const references: Part = {
  isNeeded: ({ room_names }) => room_names.length > 0,
  columns: [{ name: "room_names", type: "text", read: ({ room_names }) => joinNames(room_names) }],
  writes: `reference as materialized (
      select p.id as message_id, r.id as room_id from numbered p
      ${REFERENCED_ROOMS}
      where p.seq is not null
    ), referenced as (
      insert into message_room_references (message_id, room_id)
      select message_id, room_id from reference
    )`,
  embeds: "id in (select message_id from reference)",
};

/** `@room` and `@here`, which in a large room its owner and admins may use. */
const broadcast: Part = {
  isNeeded: (message) => message.broadcast !== null,
  columns: [{ name: "broadcast", type: "text", read: (message) => message.broadcast }],
  accepts: `(broadcast is null or is_allowed or ${MAY_BROADCAST})`,
  reports: `'may_broadcast', broadcast is null or is_allowed or ${MAY_BROADCAST}`,
  writes: `broadcasting as (
      insert into message_broadcasts (message_id, room_id, seq, created_at, kind, user_ids)
      select id, room_id, seq, created_at, broadcast,
        case when broadcast = 'here' then ${CONNECTED_MEMBERS} end
      from numbered p where seq is not null and broadcast is not null
    )`,
  embeds: "broadcast is not null",
};

/** A message of the same room that it quotes. One that goes at the same moment is shown as gone. */
const quote: Part = {
  isNeeded: ({ quote_id }) => quote_id !== null,
  columns: [{ name: "quote_id", type: "uuid", read: ({ quote_id }) => quote_id }],
  joins: `left join lateral (
        -- Limit: found by its id, and not among all of the room, however few these were when this was planned.
        select id from (select * from messages where id = i.quote_id limit 1) m
        where room_id = room.id and deleted_at is null
      ) quoted on true`,
  joined: "(i.quote_id is null or quoted.id is not null) as is_quote_known",
  accepts: "is_quote_known",
  reports: "'is_quote_known', is_quote_known",
  stores: ["quote_id"],
};

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
const reply: Part = {
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
const replyMentions: Part = {
  isNeeded: ({ reply_to_id, usernames }) => reply_to_id !== null && usernames.length > 0,
  columns: [],
  writes: `mention_follow as (
      insert into thread_follows (user_id, thread_id, room_id, read_seq)
      select m.user_id, p.thread_id, p.room_id, min(p.seq) - 1 from numbered p
      ${MENTIONED_MEMBERS}
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

/** The author's draft that was saved with the message's `client_id`: it becomes a tombstone. */
const clearDraft: Part = {
  isNeeded: ({ clears_draft }) => clears_draft,
  columns: [
    {
      name: "cleared_id",
      type: "uuid",
      read: ({ clears_draft, client_id }) => (clears_draft ? client_id : null),
    },
  ],
  writes: `clearing as (
      update drafts d set content = null, quote_id = null, image_id = null, file_id = null,
        client_id = null, device = null, version = d.version + 1, updated_at = clock_timestamp()
      from numbered p
      where d.user_id = p.author_id and d.client_id = p.cleared_id and p.cleared_id is not null
        and (p.seq is not null or p.repeated_id is not null)
      returning d.user_id, d.room_id, d.thread_id
    ), cleared as (
      select pg_notify('${SIGNAL_CHANNEL}', json_build_object('kind', 'draft_changed',
        'user_id', user_id, 'room_id', room_id, 'thread_id', nullif(thread_id, '${NO_THREAD}'))::text)
      from clearing
    )`,
  runs: "cleared",
};

/**
 * The scheduled message that is posted. It is posted only while it waits: whatever ends the credential
 * that scheduled it, or the account, blocks it (`accounts/block-scheduled.ts`). Its row is locked and
 * marked in the statement that posts it, so that it is either sent or blocked, and never both.
 */
const scheduled: Part = {
  isNeeded: ({ scheduled_id }) => scheduled_id !== null,
  columns: [{ name: "scheduled_id", type: "uuid", read: ({ scheduled_id }) => scheduled_id }],
  locks: `scheduled as materialized (
      select s.id from (
        select scheduled_id, author_id from input
        where scheduled_id is not null and (room_id in (select id from room)) is true
      ) p
      join scheduled_messages s on s.id = p.scheduled_id and s.user_id = p.author_id
      where s.state = 'waiting'
      -- In the order in which all others lock them.
      order by s.send_at, s.id for no key update of s
    )`,
  validates: "(i.scheduled_id is null or i.scheduled_id in (select id from scheduled))",
  writes: `sending as (
      update scheduled_messages s set state = 'sent', message_id = coalesce(p.repeated_id, p.id),
        reason = null, sending_at = null, ended_at = clock_timestamp()
      from numbered p
      where s.id = p.scheduled_id and p.is_valid and (p.seq is not null
        or exists (select from messages where id = p.repeated_id and room_id = p.room_id))
      returning s.id, s.user_id
    ), sent as (
      select pg_notify('${SIGNAL_CHANNEL}', json_build_object('kind', 'scheduled_changed',
        'user_id', user_id, 'ids', json_agg(id))::text)
      from sending group by user_id
    )`,
  runs: "sent",
};

/** Parts that messages of bots and of the client often need in addition to another part. */
export const BESIDE_ANOTHER: Part[] = [token, clearDraft];

export const PARTS: Part[] = [
  token,
  via,
  claimUploads("image", "message_images"),
  claimUploads("file", "message_files"),
  sending,
  preview,
  mentions,
  references,
  broadcast,
  quote,
  reply,
  replyMentions,
  clearDraft,
  scheduled,
];
