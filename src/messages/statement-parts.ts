import type { Fragment, SqlClient } from "../database/connect.ts";
import { insertJobsFragment } from "../jobs-queue/statements.ts";

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

/** What the statement has by what its drafts carry; nothing more for a batch of plain texts. */
export function partsFor(sql: SqlClient, drafts: Draft[]): Parts {
  return drafts.every(isPlain) ? plain(sql) : carrying(sql, drafts);
}

function isPlain({ imageId, fileId, usernames, rooms, previewUrl, via }: Draft): boolean {
  return !via && !imageId && !fileId && !previewUrl && usernames.length === 0 && rooms.length === 0;
}

function plain(sql: SqlClient): Parts {
  const none = sql``;
  return {
    ...{ rights: sql`is_member and is_active` },
    ...{ lists: none, names: none, uploads: none, claims: none },
    ...{ embeds: none, columns: none, values: none, hasEmbeds: sql`false` },
  };
}

/** What the statement has in addition where a draft of the batch carries more than its text. */
function carrying(sql: SqlClient, drafts: Draft[]): Parts {
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
      ), queued as (${insertJobsFragment(
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
function unused(sql: SqlClient, kind: "image" | "file"): Fragment {
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
