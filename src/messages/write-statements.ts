/**
 * By hand, because one statement locks, checks, numbers, inserts, logs and notifies for a whole batch
 * (`bench/accept.ts`); drizzle has no CTEs that write. There are two: a batch of plain texts takes two
 * thirds of the time where it comes alone.
 *
 * Both are planned once, without knowing how many drafts come, so they never join two lists of drafts
 * by comparing each with each: rights are looked up in a hash, users, rooms and earlier messages by
 * their index, and numbers are counted in one pass.
 */
import type { SqlClient } from "../database/connect.ts";
import { FEED_CHANNEL, HINTS_PER_PAYLOAD } from "../feed/channels.ts";
import { insertJobsFragment } from "../jobs-queue/statements.ts";
import { MAX_BROADCAST_MEMBERS } from "../wire/limits.ts";
import type { Privacy, RoomKind } from "../wire/models.ts";
import { connectedMembersOf } from "./broadcasts.ts";
import type { Draft } from "./draft.ts";
import type { MessageRow } from "./statements.ts";

/** What the database adds to a draft, and why it was not written if `seq` is null. */
export type WriteRow = Omit<MessageRow, keyof Draft | "seq"> & {
  seq: number | null;
  /** An earlier message with the same `client_id`. */
  repeated_id: string | null;
  /** Null if the room does not exist or could not be locked. */
  kind: RoomKind | null;
  privacy: Privacy | null;
  /** An archived room, or a closed conversation. */
  is_read_only: boolean | null;
  is_member: boolean;
  /** Undefined where no draft of the batch has `@room` or `@here`. */
  may_broadcast?: boolean;
  /** Another transaction has locked the room, and the statement did not wait. */
  is_locked: boolean;
};

/**
 * Writes drafts that carry nothing but their text.
 * @param waits for rooms that another transaction has locked; otherwise their drafts are not written
 * @returns a row for each draft, in their order
 */
export function insertPlainMessages(
  sql: SqlClient,
  instance: string,
  drafts: Draft[],
  waits: boolean,
): Promise<WriteRow[]> {
  return sql<WriteRow[]>`
    with input as materialized (
      select * from unnest(
        ${drafts.map((d) => d.id)}::uuid[], ${drafts.map((d) => d.room_id)}::uuid[],
        ${drafts.map((d) => d.author_id)}::uuid[], ${drafts.map((d) => d.content)}::text[],
        ${drafts.map((d) => d.client_id)}::uuid[]
      ) with ordinality as i(id, room_id, author_id, content, client_id, n)
    ), room as materialized (
      -- In the order of ids, so that two instances never wait for each other.
      select id, kind, privacy, is_archived or is_closed as is_read_only, last_seq from rooms
      where id = any(${roomIdsOf(drafts)}::uuid[])
      order by id for no key update ${waits ? sql`` : sql`skip locked`}
    ), member as materialized (
      -- Locked, because this statement's snapshot may be older than the wait for the room: a
      -- membership that was removed meanwhile is then found gone. Only once the rooms are locked.
      select m.room_id, m.user_id from (
        select distinct room_id, author_id from input
        where (room_id in (select id from room)) is true
      ) p
      join memberships m on m.room_id = p.room_id and m.user_id = p.author_id
      for key share of m
    ), checked as materialized (
      select i.*, room.kind, room.privacy, room.is_read_only, room.last_seq, repeated.id as repeated_id,
        (i.room_id, i.author_id) in (select room_id, user_id from member) as is_member,
        u.username, u.display_name, u.avatar_version, u.is_bot, coalesce(u.is_active, false) as is_active
      from input i
      left join room on room.id = i.room_id
      left join lateral (select * from users where id = i.author_id limit 1) u on true
      left join lateral (
        select id from messages
        where author_id = i.author_id and client_id = i.client_id limit 1
      ) repeated on true
    ), numbered as materialized (
      select *, clock_timestamp()::timestamptz(3) as created_at, case when is_accepted then last_seq +
        count(*) filter (where is_accepted) over (partition by room_id order by n) end as seq
      from (
        select *, is_member and is_active and not is_read_only and repeated_id is null as is_accepted
        from checked
      ) c
    ), inserted as (
      insert into messages (id, room_id, seq, author_id, content, client_id, created_at)
      select id, room_id, seq, author_id, content, client_id, created_at
      from numbered where seq is not null
    ), logged as (
      -- With the message's own time: a second reading of the clock would differ from it.
      insert into room_log (room_id, seq, type, message_id, created_at)
      select room_id, seq, 'message', id, created_at from numbered where seq is not null
    ), last as materialized (
      select room_id, max(seq) as seq, max(created_at) as at,
        (row_number() over ()) / ${HINTS_PER_PAYLOAD}::int as part
      from numbered where seq is not null group by room_id
    ), updated as (
      update rooms set last_seq = last.seq, last_message_at = last.at
      from last where rooms.id = last.room_id
    ), notified as (
      select pg_notify(${FEED_CHANNEL}, ${instance}::text || ' ' ||
        string_agg(room_id || ':' || seq, ' ')) from last group by part
    )
    select seq, created_at, false as has_embeds, username, display_name, avatar_version, is_bot,
      is_active, repeated_id, kind, privacy, is_read_only, is_member,
      case when privacy is null then exists (select from rooms where id = numbered.room_id)
        else false end as is_locked, (select count(*) from notified) as notifications
    from numbered order by n`;
}

/**
 * Writes drafts of which at least one carries more than its text: it claims uploads, resolves the
 * names of members and of the author's rooms, records whom `@room` and `@here` mention, and queues a
 * job for a link preview. An incoming webhook posts whatever its author may do in the room. Parameters as of `insertPlainMessages`.
 */
export function insertMessages(
  sql: SqlClient,
  instance: string,
  drafts: Draft[],
  waits: boolean,
): Promise<WriteRow[]> {
  // Names hold no blank: one text per draft keeps them with it, without a second list to join.
  return sql<WriteRow[]>`
    with input as materialized (
      select * from unnest(
        ${drafts.map((d) => d.id)}::uuid[], ${drafts.map((d) => d.room_id)}::uuid[],
        ${drafts.map((d) => d.author_id)}::uuid[], ${drafts.map((d) => d.content)}::text[],
        ${drafts.map((d) => d.client_id)}::uuid[],
        ${drafts.map((d) => d.image_id)}::uuid[], ${drafts.map((d) => d.file_id)}::uuid[],
        ${drafts.map((d) => d.preview_url)}::text[],
        ${drafts.map((d) => (d.preview_url ? Bun.randomUUIDv7() : null))}::uuid[],
        ${drafts.map((d) => d.usernames.join(" "))}::text[],
        ${drafts.map((d) => d.room_names.join(" "))}::text[],
        ${drafts.map((d) => d.via_name)}::text[],
        ${drafts.map((d) => d.via_icon_emoji)}::text[],
        ${drafts.map((d) => d.broadcast)}::text[]
      ) with ordinality as i(id, room_id, author_id, content, client_id, image_id, file_id,
        preview_url, job_id, usernames, room_names, via_name, via_icon_emoji, broadcast, n)
    ), room as materialized (
      select id, kind, privacy, is_archived or is_closed as is_read_only, last_seq, member_count from rooms
      where id = any(${roomIdsOf(drafts)}::uuid[])
      order by id for no key update ${waits ? sql`` : sql`skip locked`}
    ), member as materialized (
      select m.room_id, m.user_id, m.role from (
        select distinct room_id, author_id from input
        where (room_id in (select id from room)) is true
      ) p
      join memberships m on m.room_id = p.room_id and m.user_id = p.author_id
      for key share of m
    ), image as materialized (
      -- Images of the author for that room which no message uses. Locked, so that none is deleted as
      -- unused before its message exists.
      select m.id, m.room_id, m.uploader_id from (
        select distinct image_id, room_id, author_id from input
        where image_id is not null and (room_id in (select id from room)) is true
      ) p
      join message_images m
        on m.id = p.image_id and m.room_id = p.room_id and m.uploader_id = p.author_id
      left join lateral (select id from messages where image_id = m.id limit 1) used on true
      where used.id is null
      for key share of m
    ), file as materialized (
      select m.id, m.room_id, m.uploader_id from (
        select distinct file_id, room_id, author_id from input
        where file_id is not null and (room_id in (select id from room)) is true
      ) p
      join message_files m
        on m.id = p.file_id and m.room_id = p.room_id and m.uploader_id = p.author_id
      left join lateral (select id from messages where file_id = m.id limit 1) used on true
      where used.id is null
      for key share of m
    ), checked as materialized (
      select i.*, room.kind, room.privacy, room.is_read_only, room.last_seq, repeated.id as repeated_id,
        (i.room_id, i.author_id) in (select room_id, user_id from member) as is_member,
        i.broadcast is null or i.via_name is not null
          or room.kind = 'room' and (room.member_count <= ${MAX_BROADCAST_MEMBERS}::int
          or (i.room_id, i.author_id) in (select room_id, user_id from member where role <> 'member'))
          as may_broadcast,
        u.username, u.display_name, u.avatar_version, u.is_bot, coalesce(u.is_active, false) as is_active
      from input i
      left join room on room.id = i.room_id
      left join lateral (select * from users where id = i.author_id limit 1) u on true
      left join lateral (
        select id from messages
        where author_id = i.author_id and client_id = i.client_id limit 1
      ) repeated on true
    ), numbered as materialized (
      select *, clock_timestamp()::timestamptz(3) as created_at, case when is_accepted then last_seq +
        count(*) filter (where is_accepted) over (partition by room_id order by n) end as seq
      from (
        -- The first draft of a batch that names an upload gets it.
        select *, (is_member and is_active or via_name is not null)
          and not is_read_only and repeated_id is null and may_broadcast
          and (image_id is null or (image_id, room_id, author_id) in (select * from image)
            and row_number() over (partition by image_id, room_id, author_id, repeated_id is null order by n) = 1)
          and (file_id is null or (file_id, room_id, author_id) in (select * from file)
            and row_number() over (partition by file_id, room_id, author_id, repeated_id is null order by n) = 1)
          as is_accepted
        from checked
      ) c
    ), mention as materialized (
      select p.id as message_id, p.room_id, p.seq, m.user_id from numbered p
      cross join lateral unnest(string_to_array(p.usernames, ' ')) as t(username)
      cross join lateral (select id from users where username = t.username limit 1) u
      cross join lateral (
        select user_id from memberships where room_id = p.room_id and user_id = u.id limit 1
      ) m
      where p.seq is not null
    ), reference as materialized (
      select p.id as message_id, r.id as room_id from numbered p
      cross join lateral unnest(string_to_array(p.room_names, ' ')) as t(name)
      cross join lateral (select id from rooms where name = t.name limit 1) r
      cross join lateral (
        select from memberships where room_id = r.id and user_id = p.author_id limit 1
      ) m
      where p.seq is not null
    ), mentioned as (
      insert into message_mentions (message_id, user_id, room_id, seq)
      select message_id, user_id, room_id, seq from mention
    ), referenced as (
      insert into message_room_references (message_id, room_id)
      select message_id, room_id from reference
    ), broadcasting as (
      insert into message_broadcasts (message_id, room_id, seq, kind, user_ids)
      select id, room_id, seq, broadcast,
        case when broadcast = 'here' then ${sql.unsafe(connectedMembersOf("numbered.room_id"))} end
      from numbered where seq is not null and broadcast is not null
    ), queued as (${insertJobsFragment(
      sql,
      "link_preview",
      sql`select job_id, jsonb_build_object('url', preview_url, 'messageId', id) from numbered
        where seq is not null and preview_url is not null`,
    )}), embedding as materialized (
      select *, seq is not null and (num_nonnulls(image_id, file_id, preview_url, broadcast) > 0
        or id in (select message_id from mention)
        or id in (select message_id from reference)) as has_embeds
      from numbered
    ), inserted as (
      insert into messages (id, room_id, seq, author_id, content, client_id, created_at, image_id,
        file_id, preview_url, via_name, via_icon_emoji, has_embeds)
      select id, room_id, seq, author_id, content, client_id, created_at, image_id,
        file_id, preview_url, via_name, via_icon_emoji, has_embeds
      from embedding where seq is not null
    ), logged as (
      insert into room_log (room_id, seq, type, message_id, created_at)
      select room_id, seq, 'message', id, created_at from numbered where seq is not null
    ), last as materialized (
      select room_id, max(seq) as seq, max(created_at) as at,
        (row_number() over ()) / ${HINTS_PER_PAYLOAD}::int as part
      from numbered where seq is not null group by room_id
    ), updated as (
      update rooms set last_seq = last.seq, last_message_at = last.at
      from last where rooms.id = last.room_id
    ), notified as (
      select pg_notify(${FEED_CHANNEL}, ${instance}::text || ' ' ||
        string_agg(room_id || ':' || seq, ' ')) from last group by part
    )
    select seq, created_at, has_embeds, username, display_name, avatar_version, is_bot, is_active,
      repeated_id, kind, privacy, is_read_only, is_member or via_name is not null as is_member,
      may_broadcast,
      case when privacy is null then exists (select from rooms where id = embedding.room_id)
        else false end as is_locked, (select count(*) from notified) as notifications
    from embedding order by n`;
}

function roomIdsOf(drafts: Draft[]): string[] {
  return [...new Set(drafts.map((draft) => draft.room_id))];
}
