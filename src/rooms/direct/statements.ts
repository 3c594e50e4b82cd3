/*
 * Hand-written SQL: a conversation is read with all its members and what is unread in it at once
 * (lateral, JSON), and opening one that exists is one statement (`bench/routes.ts`).
 */
import type { SqlClient } from "../../database/connect.ts";
import { IS_ONLINE } from "../../presence/read.ts";
import type { Direct, Notify, User } from "../../wire/models.ts";
import { MAX_SOURCE_LENGTH, type PinColumns, pinColumns } from "../newest-pin.ts";
import type { SeatKey } from "../statements.ts";
import { UNREAD, UNREAD_COUNT } from "../unread.ts";

/** A conversation with its members and the reader's membership. */
export type DirectRow = PinColumns & {
  id: string;
  kind: Direct["kind"];
  created_at: Date;
  last_message_at: Date | null;
  is_closed: boolean;
  last_seq: number;
  last_read_at: Date;
  last_read_seq: number;
  notify: Notify;
  hidden_at: Date | null;
  pinned_at: Date | null;
  version: number;
  unread: boolean;
  unread_count: number;
  /** Only where it was asked for; `content` has the beginning of the text, as Markdown. */
  last_message?: { author_id: string; content: string | null } | null;
  members: (Omit<User, "avatar_url"> & { avatar_version: string | null; online: boolean })[];
};

/** What a statement's `page` has of a conversation `r` and the reader's membership `m`. */
const pageColumns = (sql: SqlClient) => sql`
  r.id, r.direct_kind as kind, r.created_at, r.last_message_at, r.is_closed, r.last_seq,
  ${sql.unsafe(pinColumns("r"))},
  coalesce(r.last_message_at, r.created_at) as active_at,
  m.room_id, m.user_id, m.last_read_at, m.last_read_seq, m.notify, m.hidden_at, m.pinned_at, m.version`;

/** Boolean: whether something is unread, which is looked for only where the log is past the mark. */
const isUnread = (sql: SqlClient) =>
  sql`memberships.last_seq > memberships.last_read_seq and ${sql.unsafe(UNREAD)}`;

/** The columns of `DirectRow`, from `page` under the name that the columns for the unread need. */
const pageDetails = (sql: SqlClient) => sql`
  memberships.*, ${isUnread(sql)} as unread,
  case when memberships.last_seq > memberships.last_read_seq
    then ${sql.unsafe(UNREAD_COUNT)} else 0 end as unread_count,
  (
    select json_agg(json_build_object('id', users.id, 'username', users.username,
      'display_name', users.display_name, 'avatar_version', users.avatar_version,
      'is_bot', users.is_bot, 'is_active', users.is_active, 'online', ${sql.unsafe(IS_ONLINE)})
      order by users.username)
    from memberships o join users on users.id = o.user_id where o.room_id = memberships.id
  ) as members`;

/**
 * The user's conversations, the last active first, after one of them.
 * @param hasHidden whether those are listed too that the user has hidden since their last message
 * @param hasLast whether each has its last message
 */
export function readDirectPage(
  sql: SqlClient,
  userId: string,
  { after, limit, hasHidden, hasLast }: Listed,
) {
  return sql<DirectRow[]>`
    with mine as (
      select ${pageColumns(sql)} from memberships m
      cross join lateral (
        select * from rooms where id = m.room_id and kind = 'direct' and deleted_at is null limit 1
      ) r
      where m.user_id = ${userId} and m.is_direct
    ), page as (
      select * from mine as memberships
      where (${after?.at ?? null}::timestamptz is null or active_at < ${after?.at ?? null}
          or active_at = ${after?.at ?? null} and id > ${after?.id ?? null}::uuid)
        and (${hasHidden} or hidden_at is null or last_message_at > hidden_at or ${isUnread(sql)})
      order by active_at desc, id limit ${limit}
    )
    select ${pageDetails(sql)}${hasLast ? lastMessage(sql) : sql``}
    from page as memberships order by active_at desc, id`;
}

/** The column of the last message, along the index of a room's log. */
const lastMessage = (sql: SqlClient) => sql`, (
  select json_build_object('author_id', author_id, 'content', left(content, ${sql.unsafe(`${MAX_SOURCE_LENGTH}`)}))
  from messages where room_id = memberships.id and deleted_at is null order by seq desc limit 1
) as last_message`;

type Listed = { after: DirectPlace | null; limit: number; hasHidden: boolean; hasLast: boolean };

/** Where a conversation is in the list. */
type DirectPlace = { at: Date; id: string };

/** @returns a row for each key, in their order; null where the user is not in such a conversation */
export async function readSeatDirects(
  sql: SqlClient,
  keys: SeatKey[],
): Promise<(DirectRow | null)[]> {
  const rows = await sql<(DirectRow & { n: number })[]>`
    with page as (
      select asked.n::int, ${pageColumns(sql)}
      from unnest(
        ${keys.map((key) => key.userId)}::uuid[], ${keys.map((key) => key.roomId)}::uuid[]
      ) with ordinality as asked(user_id, room_id, n)
      cross join lateral (
        select * from rooms
        where id = asked.room_id and kind = 'direct' and deleted_at is null limit 1
      ) r
      cross join lateral (
        select * from memberships
        where room_id = asked.room_id and user_id = asked.user_id limit 1
      ) m
    )
    select ${pageDetails(sql)} from page as memberships`;
  const found = new Map(rows.map((row) => [row.n, row]));
  return keys.map((_, index) => found.get(index + 1) ?? null);
}

/** The conversation of a set of people, for one of them; none if there is none yet. */
export function readDirectByKey(sql: SqlClient, userId: string, key: Uint8Array) {
  return sql<DirectRow[]>`
    with page as (
      select ${pageColumns(sql)} from rooms r
      join memberships m on m.room_id = r.id and m.user_id = ${userId}
      where r.direct_key = ${key}::bytea
    )
    select ${pageDetails(sql)} from page as memberships`;
}
