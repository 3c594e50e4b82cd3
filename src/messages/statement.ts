import type { SqlClient } from "../database/connect.ts";
import { FEED_CHANNEL, HINTS_PER_PAYLOAD } from "../feed/channels.ts";
import type { Privacy } from "../wire/models.ts";
import type { MessageRow } from "./read.ts";
import { type Draft, partsFor } from "./statement-parts.ts";

export type Outcome = Omit<
  MessageRow,
  "id" | "room_id" | "content" | "client_id" | "edited_at" | "seq" | "via_name" | "via_icon_emoji"
> & {
  repeated_id: string | null;
  privacy: Privacy | null;
  is_archived: boolean | null;
  is_member: boolean;
  /** Its room is locked by another transaction, and the statement does not wait. */
  is_held: boolean;
  /** Null for a draft that was not written. */
  seq: number | null;
};

/**
 * The statement that writes messages. It is planned once, without knowing how many drafts come, so
 * nothing in it joins two lists of them by comparing each with each: rights are looked up in a hash,
 * users, rooms and earlier messages by their index, and numbers are counted in one pass. A batch of
 * plain texts is spared what only the others need.
 * @param waits for rooms that another transaction has locked; without, their drafts are not written
 */
export function writeDrafts(
  sql: SqlClient,
  instance: string,
  drafts: Draft[],
  waits = true,
): Promise<Outcome[]> {
  const more = partsFor(sql, drafts);
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
        (row_number() over ()) / ${HINTS_PER_PAYLOAD}::int as part
      from placed where seq is not null group by room_id
    ), counted as (
      update rooms set last_seq = g.seq, last_message_at = g.at from grown g where rooms.id = g.room_id
    ), told as (
      select pg_notify(${FEED_CHANNEL}, ${instance}::text || ' ' ||
        string_agg(room_id || ':' || seq, ' ')) from grown group by part
    )
    select seq, created_at, repeated_id,
      case when privacy is null then exists (select from rooms where id = placed.room_id)
        else false end as is_held, privacy, is_archived, is_member, author_id, username,
      display_name, avatar_version, is_bot, is_active, ${more.hasEmbeds} as has_embeds,
      (select count(*) from told) as told
    from placed order by n`;
}
