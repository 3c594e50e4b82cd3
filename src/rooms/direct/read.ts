import { toUser, type UserFields, userFieldsJson } from "../../users/users.ts";
import { coalesceReads } from "../../database/coalesce-reads.ts";
import type { SqlClient } from "../../database/connect.ts";
import {
  formatTimedKey,
  NEWEST,
  parseTimedCursor,
  type TimedPlace,
  toPage,
} from "../../platform/input/cursor.ts";
import { IS_ONLINE, toStatus } from "../../presence/read.ts";
import { type MembershipKey, refusalFor } from "../access.ts";
import {
  MAX_SOURCE_LENGTH,
  type PinColumns,
  pinColumns,
  toExcerpt,
  toPins,
} from "../newest-pin.ts";
import {
  IS_UNREAD,
  MEMBERSHIP_COLUMNS,
  type MembershipColumns,
  toMembership,
} from "../own-membership.ts";
import { UNREAD_COUNT } from "../unread.ts";
import type { Direct, Page } from "../../wire/models.ts";
import type { DirectQuery } from "../../wire/queries.ts";

export async function listDirects(
  sql: SqlClient,
  viewerId: string,
  { cursor, limit, all, last_message, user_ids }: DirectQuery,
): Promise<Page<Direct>> {
  if (user_ids !== undefined) {
    const direct = await findDirect(
      sql,
      viewerId,
      makeDirectKey([viewerId, ...user_ids.split(",")]),
    );
    return { items: direct ? [direct] : [], next: null };
  }
  const after = parseTimedCursor(cursor) ?? NEWEST;
  const hasHidden = all === "true";
  const hasLast = last_message === "true";
  const rows = await readDirectPage(sql, viewerId, { after, limit: limit + 1, hasHidden, hasLast });
  return toPage(
    rows,
    limit,
    ({ id, last_message_at, created_at }) => formatTimedKey(last_message_at ?? created_at, id),
    toDirect,
  );
}

const readMemberDirect = coalesceReads(readMemberDirects);

/** @throws Refusal `room_not_found` for anything but a conversation of the viewer */
export async function requireDirect(sql: SqlClient, viewerId: string, id: string): Promise<Direct> {
  const row = await readMemberDirect(sql, { userId: viewerId, roomId: id });
  if (!row) throw refusalFor(null, null, "direct_member");
  return toDirect(row);
}

/** @returns the conversation of the people with this key, one of whom is the viewer; null before it is created */
export async function findDirect(
  sql: SqlClient,
  viewerId: string,
  key: Uint8Array,
): Promise<Direct | null> {
  const [row] = await sql<DirectRow[]>`
    with page as (
      select ${pageColumns(sql)} from rooms r
      join memberships m on m.room_id = r.id and m.user_id = ${viewerId}
      where r.direct_key = ${key}::bytea
    )
    select ${pageDetails(sql)} from page as memberships`;
  return row ? toDirect(row) : null;
}

function toDirect(row: DirectRow): Direct {
  return {
    id: row.id,
    kind: row.kind,
    members: row.members.map((member) => ({
      user: toUser(member),
      status: toStatus(member.online),
    })),
    created_at: row.created_at.toISOString(),
    last_message_at: row.last_message_at?.toISOString() ?? null,
    is_closed: row.is_closed,
    seq: row.last_seq,
    ...toPins(row),
    membership: {
      ...toMembership(row),
      unread_count: row.unread_count,
      hidden_at: row.hidden_at?.toISOString() ?? null,
    },
    ...(row.last_message !== undefined && { last_message: toLast(row.last_message) }),
  };
}

function toLast(last: NonNullable<DirectRow["last_message"]> | null): Direct["last_message"] {
  return last && { id: last.id, author_id: last.author_id, excerpt: toExcerpt(last.content ?? "") };
}

type DirectRow = PinColumns &
  MembershipColumns & {
    id: string;
    kind: Direct["kind"];
    created_at: Date;
    last_message_at: Date | null;
    is_closed: boolean;
    last_seq: number;
    hidden_at: Date | null;
    unread_count: number;
    /** Only in a list that asks for it. `content` is the beginning of the text, as Markdown. */
    last_message?: { id: string; author_id: string; content: string | null } | null;
    members: (UserFields & { id: string; online: boolean })[];
  };

/** The columns of conversations `r` and of the reader's memberships `m` that `pageDetails` needs. */
const pageColumns = (sql: SqlClient) => sql`
  r.id, r.direct_kind as kind, r.created_at, r.last_message_at, r.is_closed, r.last_seq,
  ${sql.unsafe(pinColumns("r"))},
  coalesce(r.last_message_at, r.created_at) as active_at,
  m.hidden_at, ${sql.unsafe(MEMBERSHIP_COLUMNS)}`;

/** The columns of `DirectRow`, from a `page` that is named `memberships` as `IS_UNREAD` requires. */
const pageDetails = (sql: SqlClient) => sql`
  memberships.*, ${sql.unsafe(IS_UNREAD)} as unread,
  case when memberships.last_seq > memberships.last_read_seq
    then ${sql.unsafe(UNREAD_COUNT)} else 0 end as unread_count,
  (
    select json_agg(json_build_object('id', users.id, ${sql.unsafe(userFieldsJson("users"))},
      'online', ${sql.unsafe(IS_ONLINE)})
      order by users.username)
    from memberships o join users on users.id = o.user_id where o.room_id = memberships.id
  ) as members`;

/**
 * Reads the user's conversations, most recently active first.
 * @param after the last row of the previous page
 * @param hasHidden includes conversations that the user has hidden since their last message
 * @param hasLast adds the last message of each
 */
function readDirectPage(
  sql: SqlClient,
  userId: string,
  { after, limit, hasHidden, hasLast }: PageOptions,
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
      where (active_at < ${after.at} or active_at = ${after.at} and id > ${after.id})
        and (${hasHidden} or hidden_at is null or last_message_at > hidden_at or ${sql.unsafe(IS_UNREAD)})
      order by active_at desc, id limit ${limit}
    )
    select ${pageDetails(sql)}${hasLast ? lastMessage(sql) : sql``}
    from page as memberships order by active_at desc, id`;
}

const lastMessage = (sql: SqlClient) => sql`, (
  select json_build_object('id', id, 'author_id', author_id, 'content', left(content, ${sql.unsafe(`${MAX_SOURCE_LENGTH}`)}))
  from messages where room_id = memberships.id and deleted_at is null order by seq desc limit 1
) as last_message`;

type PageOptions = {
  after: TimedPlace;
  limit: number;
  hasHidden: boolean;
  hasLast: boolean;
};

/** @returns a row for each key, in their order; null if the user is not in such a conversation */
async function readMemberDirects(
  sql: SqlClient,
  keys: MembershipKey[],
): Promise<(DirectRow | null)[]> {
  const rows = await sql<(DirectRow & { n: number })[]>`
    with page as (
      select key.n::int, ${pageColumns(sql)}
      from unnest(
        ${keys.map((key) => key.userId)}::uuid[], ${keys.map((key) => key.roomId)}::uuid[]
      ) with ordinality as key(user_id, room_id, n)
      cross join lateral (
        select * from rooms
        where id = key.room_id and kind = 'direct' and deleted_at is null limit 1
      ) r
      cross join lateral (
        select * from memberships
        where room_id = key.room_id and user_id = key.user_id limit 1
      ) m
    )
    select ${pageDetails(sql)} from page as memberships`;
  const byNumber = new Map(rows.map((row) => [row.n, row]));
  return keys.map((_, index) => byNumber.get(index + 1) ?? null);
}

/** @returns a hash of a set of people, the same for any order and for repeated ids */
export function makeDirectKey(userIds: string[]): Buffer {
  const text = [...new Set(userIds.map((id) => id.toLowerCase()))].toSorted().join(" ");
  return Buffer.from(new Bun.CryptoHasher("sha256").update(text).digest());
}
