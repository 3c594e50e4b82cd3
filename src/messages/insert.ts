/**
 * Inserts new messages: many with one of two statements (`bench/accept.ts`). Each locks the rooms,
 * checks permissions, assigns the rooms' next numbers, inserts messages and log entries, and
 * notifies other instances. Their SQL is constant; the parts they share are separate constants.
 *
 * The statements have generic plans, independent of the number of messages. Therefore they never
 * join two lists of messages by nested loops: all rows are looked up by index, and numbers are
 * assigned in one pass.
 */
import { makeEndedCredentialRefusal } from "../authentication/credentials.ts";
import type { SqlClient } from "../database/connect.ts";
import { isUnavailable, isUniqueViolation } from "../database/errors.ts";
import { HINTS_PER_PAYLOAD } from "../feed/channels.ts";
import { FOLLOWS_PER_SIGNAL } from "../feed/signals.ts";
import { insertJobsText } from "../jobs-queue/enqueue.ts";
import { LOCKED } from "../platform/concurrency/batch.ts";
import { Refusal } from "../platform/refusal.ts";
import { refusalFor } from "../rooms/access.ts";
import { HAS_BEEN_SILENT } from "../rooms/direct/silence.ts";
import { makeArchivedRefusal, makeBroadcastRefusal, makeClosedRefusal } from "../rooms/refusals.ts";
import { MAX_THREAD_AUTHORS } from "../wire/limits.ts";
import type { Privacy, RoomKind } from "../wire/models.ts";
import { EMBEDDING_COLUMNS } from "./embeds.ts";
import type { NewMessage } from "./new-message.ts";
import { type MessageRow, readMessages } from "./read.ts";
import {
  CONNECTED_MEMBERS,
  MAY_BROADCAST,
  MENTIONED_MEMBERS,
  REFERENCED_ROOMS,
} from "./references.ts";
import {
  makeThreadsOffRefusal,
  makeUnknownQuoteRefusal,
  makeUnknownThreadRefusal,
  makeUnknownUploadRefusal,
  makeUnknownWebhookRefusal,
  makeUsedClientIdRefusal,
} from "./refusals.ts";

/** A message after the write: inserted now, or found by its `client_id`. */
type WriteResult = { row: MessageRow; kind: RoomKind | null; isNew: boolean };

/** The columns that the database adds to a message. */
type WriteRow = Omit<MessageRow, keyof NewMessage | "seq"> & {
  /** Null if the message was refused. */
  seq: number | null;
  /** The kind of the room; null if the room does not exist or could not be locked. */
  kind: RoomKind | null;
  /** The reason for the refusal; null if the message was inserted. */
  refused: RefusedMessage | null;
};

type RefusedMessage = {
  reason: RefusedReason;
  privacy: Privacy | null;
  /** An earlier message with the same `client_id`. */
  repeated_id: string | null;
};

/** The names under which the statements report the first rule that refuses a message. */
type RefusedReason =
  | "room_locked"
  | "credential_ended"
  | "not_a_member"
  | "repeated"
  | "read_only"
  | "deactivated"
  | "broadcast"
  | "unknown_thread"
  | "threads_off"
  | "unknown_quote"
  | "unknown_upload";

const MAX_ATTEMPTS = 5;

/**
 * Inserts a batch of messages. A refused message takes no number and does not affect the others. Messages of rooms
 * that another transaction has locked are `LOCKED`, unless the statement waits.
 * @param waits whether to wait for rooms that another transaction has locked
 * @returns the inserted message or the refusal of each
 */
export async function insertMessages(
  sql: SqlClient,
  instance: string,
  messages: NewMessage[],
  waits: boolean,
): Promise<(WriteResult | Error)[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insertOnce(sql, instance, messages, waits);
    } catch (error) {
      // A message with the same client_id was committed while this statement waited for the room's
      // lock. The next attempt finds and returns it.
      if (isUniqueViolation(error) && attempt < MAX_ATTEMPTS) continue;
      if (isUnavailable(error) || messages.length === 1) throw error;
      break;
    }
  }
  // Inserting halves isolates the message that the database rejects, so that the others are still inserted by few
  // statements.
  const middle = Math.ceil(messages.length / 2);
  const results: (WriteResult | Error)[] = [];
  for (const half of [messages.slice(0, middle), messages.slice(middle)]) {
    const insertion = insertMessages(sql, instance, half, waits);
    results.push(...(await insertion.catch((error) => half.map(() => error as Error))));
  }
  return results;
}

/** A message that repeats the `client_id` of an earlier one in the batch gets the same result. */
async function insertOnce(
  sql: SqlClient,
  instance: string,
  messages: NewMessage[],
  waits: boolean,
): Promise<(WriteResult | Error)[]> {
  const byKey = new Map<string, NewMessage>();
  const firsts = messages.map((message) => {
    const { id, author_id, client_id } = message;
    // The key of the unique index, which does not include the room.
    const key = client_id === null ? id : `${author_id} ${client_id}`;
    const first = byKey.get(key) ?? message;
    byKey.set(key, first);
    return first;
  });
  const unique = [...byKey.values()];
  // A statement's snapshot is taken when it starts. Therefore a separate statement waits for the locks, in the order
  // of the insert, and the next one sees accounts and sessions that ended in the meantime.
  const rows = await (waits
    ? sql.begin(async (tx) => {
        await tx`
          select from rooms where id = any(${unique.map(({ room_id }) => room_id)}::uuid[])
          order by id for no key update`;
        return runInsert(tx as unknown as SqlClient, instance, unique);
      })
    : runInsert(sql, instance, unique));
  const rowOf = new Map(unique.map((message, i) => [message, rows[i] as WriteRow]));
  const earlierIds = rows.flatMap((row) => row.refused?.repeated_id ?? []);
  const earlier = new Map((await readMessages(sql, earlierIds)).map((row) => [row.id, row]));
  return messages.map((message, i) => {
    const first = firsts[i] as NewMessage;
    const { refused, kind, ...columns } = rowOf.get(first) as WriteRow;
    // A message in another room is not returned even to its author, who may no longer be a member there.
    if (first.room_id !== message.room_id) return makeUsedClientIdRefusal();
    if (!refused) {
      return { row: Object.assign(first, columns) as MessageRow, kind, isNew: first === message };
    }
    const repeatedMessage = earlier.get(refused.repeated_id ?? "");
    return refused.reason === "repeated" && repeatedMessage?.room_id === message.room_id
      ? { row: repeatedMessage, kind, isNew: false }
      : toRefusal(first, kind, refused);
  });
}

function toRefusal(
  message: NewMessage,
  kind: RoomKind | null,
  { reason, privacy }: RefusedMessage,
): Error {
  switch (reason) {
    case "room_locked":
      return LOCKED;
    case "credential_ended":
      return message.via_webhook_id === null
        ? makeEndedCredentialRefusal(message.token_id !== null)
        : makeUnknownWebhookRefusal();
    case "not_a_member":
      return refusalFor(kind && privacy && { kind, privacy }, null, "member") as Refusal;
    case "repeated":
      return makeUsedClientIdRefusal();
    case "read_only":
      return kind === "direct" ? makeClosedRefusal() : makeArchivedRefusal("post");
    case "deactivated":
      return new Refusal("unauthenticated", "Your account is deactivated.");
    case "broadcast":
      return makeBroadcastRefusal(kind);
    case "unknown_thread":
      return makeUnknownThreadRefusal();
    case "threads_off":
      return makeThreadsOffRefusal();
    case "unknown_quote":
      return makeUnknownQuoteRefusal();
    case "unknown_upload":
      return makeUnknownUploadRefusal();
  }
}

/**
 * Inserts messages with the simplest statement that supports all of them.
 * @returns a row for each message, in the same order
 */
export function runInsert(
  sql: SqlClient,
  instance: string,
  messages: NewMessage[],
): Promise<WriteRow[]> {
  const ids = (read: ReadColumn) => toUuidArray(messages.map(read));
  const parameters = [
    instance,
    toUuidArray([...new Set(messages.map((message) => message.room_id))]),
    HINTS_PER_PAYLOAD,
    ids((message) => message.id),
    ids((message) => message.room_id),
    ids((message) => message.author_id),
    ids((message) => message.session_id),
    ids((message) => message.token_id),
    ids((message) => message.client_id),
    ids((message) => (message.clears_draft ? message.client_id : null)),
    messages.map((message) => message.content),
  ];
  return messages.every(isPlain)
    ? sql.unsafe<WriteRow[]>(INSERT_PLAIN, parameters, { prepare: true })
    : sql.unsafe<WriteRow[]>(INSERT_ANY, [...parameters, ...furtherParameters(messages)], {
        prepare: true,
      });
}

/**
 * Whether a message consists only of text without mentions or references. Most messages do;
 * inserting one costs a third of the others.
 */
function isPlain(message: NewMessage): boolean {
  return (
    message.via_webhook_id === null &&
    message.scheduled_id === null &&
    EMBEDDING_COLUMNS.every((column) => message[column] === null) &&
    message.usernames.length === 0 &&
    message.room_names.length === 0 &&
    message.broadcast === null &&
    message.reply_to_id === null
  );
}

type ReadColumn = (message: NewMessage) => string | null;

/** Formats a PostgreSQL array of ids. The driver would escape each value, which ids do not need. */
function toUuidArray(ids: (string | null)[]): string {
  return `{${ids.map((id) => id ?? "null").join()}}`;
}

/** SQL: the rooms of the messages, unless another transaction has locked them. */
const LOCK_ROOMS = `room as materialized (
    -- Ordered by id, so that two instances cannot deadlock.
    select id, kind, privacy, is_archived or is_closed as is_read_only, last_seq, member_count, threads,
      kind = 'direct' and ${HAS_BEEN_SILENT} as is_silent
    from rooms
    where id = any($2::uuid[])
    order by id for no key update skip locked
  )`;

/**
 * SQL columns of a message `i`: its room, its author `u`, and what may refuse it. The last is unnamed: whether
 * the credential is valid, to which a statement may add. They are subqueries because each join copies all
 * columns again. Limits make the generic plan use an index even if the table was small when it was planned.
 */
const SENDER_COLUMNS = `i.*, room.kind, room.privacy, room.is_read_only, room.last_seq,
      u.username, u.display_name, u.avatar_version, u.is_bot, coalesce(u.is_active, false) as is_active,
      u.profile_version, (
        -- The lock rereads the row: the statement's snapshot may predate the lock of the room, and the
        -- membership may have been removed since.
        select role from memberships
        where room_id = room.id and user_id = i.author_id limit 1 for key share
      ) as role, (
        select id from messages
        where author_id = i.author_id and client_id = i.client_id limit 1
      ) as repeated_id,
      (i.session_id is null or u.is_active and (
        select id from sessions
        where id = i.session_id and user_id = i.author_id and expires_at > clock_timestamp()
          and not is_restricted limit 1
      ) is not null)
      and (i.token_id is null or u.is_active and (
        select id from api_tokens
        where id = i.token_id and user_id = i.author_id and revoked_at is null
          and (expires_at is null or expires_at > clock_timestamp()) limit 1
      ) is not null)`;

/** SQL: the room of each message `i`, and its author. */
const JOIN_SENDERS = `left join room on room.id = i.room_id
    left join lateral (select * from users where id = i.author_id limit 1) u on true`;

/** SQL: the rules that may refuse any message, which a statement's own rules follow. */
const FIRST_REFUSALS = `when kind is null and exists (select from rooms where id = checked.room_id)
          then 'room_locked'
        when not is_valid then 'credential_ended'
        when kind is null or role is null and not is_webhook then 'not_a_member'
        when repeated_id is not null then 'repeated'
        when is_read_only then 'read_only'
        when not is_active and not is_webhook then 'deactivated'`;

/** SQL: the time of each message, and the next number of its room unless it is refused. */
const NUMBER_MESSAGES = `numbered as materialized (
    select *, clock_timestamp()::timestamptz(3) as created_at, case when reason is null then last_seq +
      count(*) filter (where reason is null) over (partition by room_id order by n) end as seq
    from decided
  )`;

/** SQL: clears the drafts of the messages, also if they were inserted before. */
const CLEAR_DRAFTS = `clearing as (
    update drafts d set content = null, quote_id = null, image_id = null, file_id = null,
      client_id = null, device = null, version = d.version + 1, updated_at = clock_timestamp()
    from numbered p
    where d.user_id = p.author_id and d.client_id = p.cleared_id and p.cleared_id is not null
      and (p.seq is not null or p.repeated_id is not null)
    returning d.user_id, d.room_id, d.thread_id
  ), cleared as (
    select pg_notify('snug_signals', json_build_object('kind', 'draft_changed', 'user_id', user_id,
      'room_id', room_id, 'thread_id', nullif(thread_id, '00000000-0000-0000-0000-000000000000'))::text)
    from clearing
  )`;

/** SQL: logs the messages, and updates and announces their rooms. */
const LOG_MESSAGES = `logged as (
    -- The message's own time, since reading the clock again would give another.
    insert into room_log (room_id, seq, type, message_id, created_at)
    select room_id, seq, 'message', id, created_at from numbered where seq is not null
  ), last as materialized (
    select room_id, kind, max(seq) as seq, max(created_at) as at, (row_number() over ()) / $3::int as part
    from numbered where seq is not null group by room_id, kind
  ), updated as (
    update rooms set last_seq = last.seq, last_message_at = last.at
    from last where rooms.id = any($2::uuid[]) and rooms.id = last.room_id
  ), silence_ended as (
    update memberships set is_silent = false where is_silent and room_id = any(array(
      select room_id from last where room_id in (select id from room where is_silent)
    ))
  ), notified as (
    select pg_notify('snug_feed', $1::text || ' ' || string_agg(room_id || ':' || seq || ':' || kind, ' '))
    from last group by part
  )`;

const INSERT_PLAIN = `
  with input as materialized (
    select * from unnest(
      $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[], $11::text[]
    ) with ordinality as i(
      id, room_id, author_id, session_id, token_id, client_id, cleared_id, content, n
    )
  ), ${LOCK_ROOMS}, checked as materialized (
    select ${SENDER_COLUMNS} as is_valid, false as is_webhook
    from input i ${JOIN_SENDERS}
  ), decided as (
    select *, case
        ${FIRST_REFUSALS}
      end as reason
    from checked offset 0
  ), ${NUMBER_MESSAGES}, ${CLEAR_DRAFTS}, inserted as (
    insert into messages (id, room_id, seq, author_id, content, client_id, created_at, has_embeds)
    select id, room_id, seq, author_id, content, client_id, created_at, false
    from numbered where seq is not null
  ), ${LOG_MESSAGES}
  select seq, kind, created_at, false as has_embeds, username, display_name, avatar_version, is_bot, is_active,
    profile_version,
    case when seq is null then json_build_object(
      'reason', reason, 'privacy', privacy, 'repeated_id', repeated_id) end as refused
  from numbered
  -- PostgreSQL skips CTEs that only select unless the statement uses them, so they are counted.
  where (select count(*) from cleared) >= 0 and (select count(*) from notified) >= 0
  order by n`;

/** The parameters that only `INSERT_ANY` takes, after the shared ones. */
function furtherParameters(messages: NewMessage[]) {
  const ids = (read: ReadColumn) => toUuidArray(messages.map(read));
  const texts = (read: ReadColumn) => messages.map(read);
  return [
    texts((message) => message.via_name),
    texts((message) => message.via_icon_emoji),
    ids((message) => message.via_webhook_id),
    ids((message) => message.scheduled_id),
    ids((message) => message.image_id),
    ids((message) => message.file_id),
    texts((message) => message.image_alt),
    ids((message) => message.group_id),
    texts((message) => message.preview_url),
    // The id of the job that fetches the preview.
    ids((message) => message.preview_url && Bun.randomUUIDv7()),
    // Names contain no spaces, so they are sent as one string per message.
    texts((message) => message.usernames.join(" ")),
    texts((message) => message.room_names.join(" ")),
    texts((message) => message.broadcast),
    ids((message) => message.quote_id),
    ids((message) => message.reply_to_id),
    // The author of a reply follows the thread; a webhook's creator does not.
    ids((message) => (message.via_name === null ? message.author_id : null)),
    MAX_THREAD_AUTHORS,
    FOLLOWS_PER_SIGNAL,
  ];
}

/** SQL: the unused images or files that the messages name. */
const claimUploads = (kind: "image" | "file") => `${kind} as materialized (
    -- The author's unused uploads for this room. The lock prevents their deletion as unused before the message
    -- is committed.
    select m.id, m.room_id, m.uploader_id from (
      select distinct ${kind}_id, room_id, author_id from input
      where ${kind}_id is not null and (room_id in (select id from room)) is true
    ) p
    join message_${kind}s m on m.id = p.${kind}_id and m.room_id = p.room_id and m.uploader_id = p.author_id
    left join lateral (select id from messages where ${kind}_id = m.id limit 1) used on true
    where used.id is null
    for key share of m
  )`;

/** SQL: the jobs that fetch a preview of each message's first URL. */
const QUEUE_PREVIEWS = insertJobsText(
  "link_preview",
  `select job_id, jsonb_build_object('url', preview_url, 'messageId', id)
    from numbered where seq is not null and preview_url is not null`,
);

const INSERT_ANY = `
  with input as materialized (
    select * from unnest(
      $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[], $11::text[],
      $12::text[], $13::text[], $14::uuid[], $15::uuid[], $16::uuid[], $17::uuid[], $18::text[], $19::uuid[],
      $20::text[], $21::uuid[], $22::text[], $23::text[], $24::text[], $25::uuid[], $26::uuid[], $27::uuid[]
    ) with ordinality as i(
      id, room_id, author_id, session_id, token_id, client_id, cleared_id, content,
      via_name, via_icon_emoji, via_webhook_id, scheduled_id, image_id, file_id, image_alt, group_id,
      preview_url, job_id, usernames, room_names, broadcast, quote_id, reply_to_id, replier_id, n
    )
  ), ${LOCK_ROOMS}, ${claimUploads("image")}, ${claimUploads("file")}, scheduled as materialized (
    -- Only messages that are still waiting. Locked and marked as sent in this statement, so that none is both
    -- sent and blocked (authentication/block-scheduled.ts).
    select s.id from (
      select scheduled_id, author_id from input
      where scheduled_id is not null and (room_id in (select id from room)) is true
    ) p
    join scheduled_messages s on s.id = p.scheduled_id and s.user_id = p.author_id
    where s.state = 'waiting'
    -- The order in which they are locked everywhere.
    order by s.send_at, s.id for no key update of s
  ), checked as materialized (
    select ${SENDER_COLUMNS}
        and (i.via_webhook_id is null
          or (select id from incoming_webhooks where id = i.via_webhook_id limit 1) is not null)
        and (i.scheduled_id is null or i.scheduled_id in (select id from scheduled)) as is_valid,
      -- An incoming webhook may post whatever its author may do in the room, until it is deleted.
      i.via_webhook_id is not null as is_webhook,
      room.member_count, room.threads, root.id as thread_id, root.author_id as root_author_id,
      (
        select id from (select * from messages where id = i.quote_id limit 1) m
        where room_id = room.id and deleted_at is null
      ) as quoted_id,
      (select message_id from threads where message_id = root.id limit 1) is null as is_first,
      (
        select is_following from thread_follows
        where user_id = i.replier_id and thread_id = root.id limit 1
      ) is true as was_following,
      -- Whether the root was deleted after this statement's snapshot. It is locked and read again if the
      -- snapshot does not have the last number of the locked room.
      (select last_seq from rooms where id = room.id limit 1) < room.last_seq and (
        select id from messages where id = root.id and deleted_at is null limit 1 for share
      ) is null as is_root_gone
    from input i ${JOIN_SENDERS}
    left join lateral (
      -- A reply to a reply joins its thread.
      select id, case when via_name is null then author_id end as author_id from (
        select * from messages
        where id = (select coalesce(thread_id, id) from messages where id = i.reply_to_id limit 1)
        limit 1
      ) m
      where room_id = room.id and deleted_at is null
    ) root on true
  ), decided as (
    select *, case
        ${FIRST_REFUSALS}
        when broadcast is not null and not is_webhook and not (${MAY_BROADCAST}) then 'broadcast'
        when reply_to_id is not null and (thread_id is null or is_root_gone) then 'unknown_thread'
        when reply_to_id is not null and (kind = 'direct' or threads = 'off' and is_first) then 'threads_off'
        when quote_id is not null and quoted_id is null then 'unknown_quote'
        -- The first message of a batch that names an upload gets it.
        when image_id is not null and ((image_id, room_id, author_id) not in (select * from image)
          or row_number() over (
            partition by image_id, room_id, author_id, is_valid, repeated_id is null order by n
          ) > 1) then 'unknown_upload'
        when file_id is not null and ((file_id, room_id, author_id) not in (select * from file)
          or row_number() over (
            partition by file_id, room_id, author_id, is_valid, repeated_id is null order by n
          ) > 1) then 'unknown_upload'
      end as reason
    from checked offset 0
  ), ${NUMBER_MESSAGES}, queued as (${QUEUE_PREVIEWS}
  ), mention as materialized (
    -- The room's members that the text mentions.
    select p.id as message_id, p.room_id, p.thread_id, p.seq, p.created_at, m.user_id
    from numbered p ${MENTIONED_MEMBERS}
    where p.seq is not null
  ), mentioned as (
    insert into message_mentions (message_id, user_id, room_id, seq, created_at)
    select message_id, user_id, room_id, seq, created_at from mention
  ), reference as materialized (
    -- The author's rooms that the text references.
    select p.id as message_id, r.id as room_id from numbered p ${REFERENCED_ROOMS}
    where p.seq is not null
  ), referenced as (
    insert into message_room_references (message_id, room_id)
    select message_id, room_id from reference
  ), broadcasting as (
    insert into message_broadcasts (message_id, room_id, seq, created_at, kind, user_ids)
    select id, room_id, seq, created_at, broadcast,
      case when broadcast = 'here' then ${CONNECTED_MEMBERS} end
    from numbered p where seq is not null and broadcast is not null
  ), answered as materialized (
    select thread_id, room_id, root_author_id, bool_or(is_first) as is_first,
      sum(count)::int as reply_count, min(first_seq) as first_seq, max(seq) as seq, max(at) as at,
      coalesce(
        (array_agg(replier_id order by seq desc) filter (where replier_id is not null))[1:$28::int],
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
          group by id order by min(n) limit $28::int
        ) end,
      resolved_at = null, resolved_by = null
  ), rooted as (
    update messages set has_embeds = true where not has_embeds
      and id = any(array(select thread_id from answered where is_first))
  ), followed as (
    -- Repliers have read up to their own reply; the others follow from before the first reply that concerns them.
    -- Mentioned members follow the thread, even if they had unfollowed it.
    insert into thread_follows (user_id, thread_id, room_id, read_seq, replied_seq)
    select user_id, thread_id, room_id, coalesce(nullif(max(replied_seq), 0), min(seq) - 1), max(replied_seq)
    from (
      select replier_id as user_id, thread_id, room_id, seq, seq as replied_seq from numbered
      where seq is not null and thread_id is not null and replier_id is not null
      union all
      select user_id, thread_id, room_id, seq, 0 from mention where thread_id is not null
      union all
      -- The first reply also makes the root's author and the members whom the root mentions follow.
      select user_id, thread_id, room_id, first_seq, 0 from (
        select root_author_id as user_id, thread_id, room_id, first_seq
        from answered where is_first and root_author_id is not null
        union all
        select m.user_id, thread_id, room_id, first_seq from answered
        -- The offset makes the generic plan use the index, even if the table was small when it was planned.
        cross join lateral (
          select user_id from message_mentions where message_id = thread_id offset 0
        ) m
        where is_first
      ) f
      cross join lateral (
        select from memberships where room_id = f.room_id and user_id = f.user_id limit 1
      ) member
    ) follower
    group by user_id, thread_id, room_id order by thread_id, user_id
    on conflict (user_id, thread_id) do update set is_following = true,
      read_seq = greatest(thread_follows.read_seq, excluded.read_seq),
      replied_seq = greatest(thread_follows.replied_seq, excluded.replied_seq)
    where excluded.replied_seq > 0 or not thread_follows.is_following
    returning user_id, thread_id, read_seq, replied_seq
  ), follow_notified as (
    -- Only new followers. A reply's event already shows that it has moved its author's mark.
    select pg_notify('snug_signals', json_build_object('kind', 'threads_followed',
      'follows', json_agg(json_build_array(user_id, thread_id, read_seq, replied_seq)))::text)
    from (
      select *, (row_number() over ()) / $29::int as part from followed
      where (user_id, thread_id) not in (select replier_id, thread_id from numbered where was_following)
    ) f group by part
  ), ${CLEAR_DRAFTS}, sending as (
    update scheduled_messages s set state = 'sent', message_id = coalesce(p.repeated_id, p.id),
      reason = null, sending_at = null, ended_at = clock_timestamp()
    from numbered p
    where s.id = p.scheduled_id and p.is_valid and (p.seq is not null
      or exists (select from messages where id = p.repeated_id and room_id = p.room_id))
    returning s.id, s.user_id
  ), sent as (
    select pg_notify('snug_signals', json_build_object('kind', 'scheduled_changed',
      'user_id', user_id, 'ids', json_agg(id))::text)
    from sending group by user_id
  ), embedding as materialized (
    select *, seq is not null and (num_nonnulls(${EMBEDDING_COLUMNS.join(", ")}, thread_id, broadcast) > 0
        or id in (select message_id from mention)
        or id in (select message_id from reference)) as has_embeds
    from numbered
  ), inserted as (
    insert into messages (id, room_id, seq, author_id, content, client_id, created_at, via_name,
      via_icon_emoji, image_id, file_id, image_alt, group_id, preview_url, quote_id, thread_id, has_embeds)
    select id, room_id, seq, author_id, content, client_id, created_at, via_name,
      via_icon_emoji, image_id, file_id, image_alt, group_id, preview_url, quote_id, thread_id, has_embeds
    from embedding where seq is not null
  ), ${LOG_MESSAGES}
  select seq, kind, created_at, has_embeds, username, display_name, avatar_version, is_bot, is_active,
    profile_version,
    case when seq is null then json_build_object(
      'reason', reason, 'privacy', privacy, 'repeated_id', repeated_id) end as refused
  from embedding
  -- PostgreSQL skips CTEs that only select unless the statement uses them, so they are counted.
  where (select count(*) from follow_notified) >= 0 and (select count(*) from cleared) >= 0
    and (select count(*) from sent) >= 0 and (select count(*) from notified) >= 0
  order by n`;
