import type { Fragment, HandSql } from "../database/connect.ts";
import { FEED_CHANNEL } from "../feed/channels.ts";
import { enqueueing } from "../jobs-queue/enqueue.ts";
import type { Privacy } from "../wire/models.ts";
import type { MessageRow } from "./read.ts";

/** A message that was checked but not written. */
export type Draft = {
  id: string;
  roomId: string;
  authorId: string;
  /** Null only beside an upload. */
  content: string | null;
  clientId: string | null;
  imageId: string | null;
  fileId: string | null;
  /** What the text names, in lower case: who and what of it is real, the statement finds out. */
  usernames: string[];
  rooms: string[];
  previewUrl: string | null;
  /** Of an incoming webhook: it posts whatever its author may do here. */
  via: Via | null;
};

/** What an incoming webhook goes by. */
export type Via = { name: string; iconEmoji: string | null };

export type Outcome = Omit<
  MessageRow,
  "id" | "room_id" | "content" | "client_id" | "edited_at" | "seq" | "via_name" | "via_icon_emoji"
> & {
  repeated_id: string | null;
  privacy: Privacy | null;
  is_archived: boolean | null;
  is_member: boolean;
  /** Null for a draft that was not written. */
  seq: number | null;
};

/** PostgreSQL refuses longer payloads; a room and its number take about 57 bytes. */
const HINTS_A_PAYLOAD = 120;

function isPlain({ imageId, fileId, usernames, rooms, previewUrl, via }: Draft): boolean {
  return !via && !imageId && !fileId && !previewUrl && usernames.length === 0 && rooms.length === 0;
}

/**
 * The statement that writes messages. It is planned once, without knowing how many drafts come, so
 * nothing in it joins two lists of them by comparing each with each: rights are looked up in a hash,
 * users, rooms and earlier messages by their index, and numbers are counted in one pass. A batch of
 * plain texts is spared what only the others need.
 */
export function writeDrafts(sql: HandSql, instance: string, drafts: Draft[]): Promise<Outcome[]> {
  const more = drafts.every(isPlain) ? plain(sql) : carrying(sql, drafts);
  return sql<Outcome[]>`
    with input as materialized (
      select * from unnest(
        ${drafts.map((d) => d.id)}::uuid[], ${drafts.map((d) => d.roomId)}::uuid[],
        ${drafts.map((d) => d.authorId)}::uuid[], ${drafts.map((d) => d.content)}::text[],
        ${drafts.map((d) => d.clientId)}::uuid[] ${more.lists}
      ) with ordinality as i(id, room_id, author_id, content, client_id ${more.names}, n)
    ), room as materialized (
      -- In the order of ids, so that two instances cannot wait for each other.
      select id, privacy, is_archived, last_seq from rooms
      where id = any(${[...new Set(drafts.map((d) => d.roomId))]}::uuid[])
      order by id for no key update
    ), member as materialized (
      -- Locked, because this statement's snapshot may be older than the wait for the room: a
      -- membership that was removed meanwhile is then found gone. Only once the rooms are locked.
      select m.room_id, m.user_id from (
        select distinct room_id, author_id from input
        where (room_id in (select id from room)) is true
      ) p
      join memberships m on m.room_id = p.room_id and m.user_id = p.author_id
      for key share of m
    ), ${more.uploads} judged as materialized (
      select i.*, room.privacy, room.is_archived, room.last_seq, repeated.id as repeated_id,
        (i.room_id, i.author_id) in (select room_id, user_id from member) as is_member,
        u.username, u.display_name, u.avatar_version, u.is_bot, coalesce(u.is_active, false) as is_active
      from input i
      left join room on room.id = i.room_id
      left join lateral (select * from users where id = i.author_id limit 1) u on true
      left join lateral (
        select id from messages
        where author_id = i.author_id and client_id = i.client_id limit 1
      ) repeated on true
    ), placed as materialized (
      select *, clock_timestamp()::timestamptz(3) as created_at, case when is_accepted then last_seq +
        count(*) filter (where is_accepted) over (partition by room_id order by n) end as seq
      from (
        select *, ${more.rights} and not is_archived and repeated_id is null
          ${more.claims} as is_accepted
        from judged
      ) j
    ), ${more.embeds} written as (
      insert into messages (id, room_id, seq, author_id, content, client_id, created_at
        ${more.columns})
      select id, room_id, seq, author_id, content, client_id, created_at ${more.values}
      from placed where seq is not null
    ), logged as (
      -- At the message's own time: another reading of the clock would tell two times of one thing.
      insert into room_log (room_id, seq, type, message_id, created_at)
      select room_id, seq, 'message', id, created_at from placed where seq is not null
    ), grown as materialized (
      select room_id, max(seq) as seq, max(created_at) as at,
        (row_number() over ()) / ${HINTS_A_PAYLOAD}::int as part
      from placed where seq is not null group by room_id
    ), counted as (
      update rooms set last_seq = g.seq, last_message_at = g.at from grown g where rooms.id = g.room_id
    ), told as (
      select pg_notify(${FEED_CHANNEL}, ${instance}::text || ' ' ||
        string_agg(room_id || ':' || seq, ' ')) from grown group by part
    )
    select seq, created_at, repeated_id, privacy, is_archived, is_member, author_id, username,
      display_name, avatar_version, is_bot, is_active, ${more.hasEmbeds} as has_embeds,
      (select count(*) from told) as told
    from placed order by n`;
}

type Parts = Record<
  | "rights"
  | "lists"
  | "names"
  | "uploads"
  | "claims"
  | "embeds"
  | "columns"
  | "values"
  | "hasEmbeds",
  Fragment
>;

function plain(sql: HandSql): Parts {
  const none = sql``;
  return {
    ...{ rights: sql`is_member and is_active` },
    ...{ lists: none, names: none, uploads: none, claims: none },
    ...{ embeds: none, columns: none, values: none, hasEmbeds: sql`false` },
  };
}

/** What the statement has in addition where a draft of the batch carries more than its text. */
function carrying(sql: HandSql, drafts: Draft[]): Parts {
  const hasEmbeds = sql`(num_nonnulls(image_id, file_id, preview_url) > 0
    or id in (select message_id from mention) or id in (select message_id from reference))`;
  return {
    rights: sql`(is_member and is_active or via_name is not null)`,
    // Names hold no blank: one text a draft keeps them with it, without a second list to join.
    lists: sql`, ${drafts.map((d) => d.imageId)}::uuid[], ${drafts.map((d) => d.fileId)}::uuid[],
      ${drafts.map((d) => d.previewUrl)}::text[],
      ${drafts.map((d) => (d.previewUrl ? Bun.randomUUIDv7() : null))}::uuid[],
      ${drafts.map((d) => d.usernames.join(" "))}::text[],
      ${drafts.map((d) => d.rooms.join(" "))}::text[],
      ${drafts.map((d) => d.via?.name ?? null)}::text[],
      ${drafts.map((d) => d.via?.iconEmoji ?? null)}::text[]`,
    names: sql`, image_id, file_id, preview_url, job_id, usernames, room_names, via_name,
      via_icon_emoji`,
    uploads: sql`
      image as materialized (${unused(sql, "image")}),
      file as materialized (${unused(sql, "file")}),`,
    // The first of a batch that names an upload has it.
    claims: sql`
      and (image_id is null or (image_id, room_id, author_id) in (select * from image)
        and row_number() over (partition by image_id, room_id, author_id, repeated_id is null order by n) = 1)
      and (file_id is null or (file_id, room_id, author_id) in (select * from file)
        and row_number() over (partition by file_id, room_id, author_id, repeated_id is null order by n) = 1)`,
    embeds: sql`
      mention as materialized (
        select p.id as message_id, p.room_id, p.seq, m.user_id from placed p
        cross join lateral unnest(string_to_array(p.usernames, ' ')) as t(username)
        cross join lateral (select id from users where username = t.username limit 1) u
        cross join lateral (
          select user_id from memberships where room_id = p.room_id and user_id = u.id limit 1
        ) m
        where p.seq is not null
      ), reference as materialized (
        select p.id as message_id, r.id as room_id from placed p
        cross join lateral unnest(string_to_array(p.room_names, ' ')) as t(name)
        cross join lateral (select id from rooms where name = t.name limit 1) r
        cross join lateral (
          select from memberships where room_id = r.id and user_id = p.author_id limit 1
        ) m
        where p.seq is not null
      ), mentioned as (
        insert into message_mentions (message_id, user_id, room_id, seq)
        select message_id, user_id, room_id, seq from mention
      ), referred as (
        insert into message_room_references (message_id, room_id)
        select message_id, room_id from reference
      ), queued as (${enqueueing(
        sql,
        "link_preview",
        sql`select job_id, jsonb_build_object('url', preview_url, 'messageId', id) from placed
          where seq is not null and preview_url is not null`,
      )}),`,
    columns: sql`, image_id, file_id, preview_url, via_name, via_icon_emoji, has_embeds`,
    values: sql`, image_id, file_id, preview_url, via_name, via_icon_emoji, ${hasEmbeds}`,
    hasEmbeds: sql`(seq is not null and ${hasEmbeds})`,
  };
}

/**
 * Uploads that the drafts name, are their authors' own, in that room, and used by no message.
 * Locked, so that none is deleted as unused before its message is there.
 */
function unused(sql: HandSql, kind: "image" | "file"): Fragment {
  const column = sql(`${kind}_id`);
  return sql`
    select m.id, m.room_id, m.uploader_id from (
      select distinct ${column} as id, room_id, author_id from input
      where ${column} is not null and (room_id in (select id from room)) is true
    ) p
    join ${sql(`message_${kind}s`)} m
      on m.id = p.id and m.room_id = p.room_id and m.uploader_id = p.author_id
    left join lateral (select id from messages where ${column} = m.id limit 1) used on true
    where used.id is null
    for key share of m`;
}
