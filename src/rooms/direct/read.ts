import type { SqlClient } from "../../database/connect.ts";
import {
  formatTimedKey,
  NEWEST,
  parseTimedCursor,
  type TimedPlace,
  toPage,
} from "../../platform/input/cursor.ts";
import type { Direct, Page } from "../../wire/models.ts";
import type { DirectQuery } from "../../wire/queries.ts";
import { MAX_SOURCE_LENGTH } from "../newest-pin.ts";
import {
  type DirectRow,
  IS_UNREAD,
  PAGE_COLUMNS,
  selectViewersRooms,
  toDirect,
} from "../viewers-rooms.ts";

export async function listDirects(
  sql: SqlClient,
  viewerId: string,
  { cursor, limit, all, last_message, user_ids }: DirectQuery,
): Promise<Page<Direct>> {
  if (user_ids !== undefined) {
    const key = makeDirectKey([viewerId, ...user_ids.split(",")]);
    const direct = await findDirect(sql, viewerId, key);
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

/** @returns the conversation of the people with this key, one of whom is the viewer; null before it is created */
export async function findDirect(
  sql: SqlClient,
  viewerId: string,
  key: Uint8Array,
): Promise<Direct | null> {
  const page = sql`
    select ${sql.unsafe(PAGE_COLUMNS.direct)} from rooms r
    join memberships m on m.room_id = r.id and m.user_id = ${viewerId}
    where r.direct_key = ${key}::bytea`;
  const [row] = await sql<DirectRow[]>`${selectViewersRooms(sql, "direct", page)}`;
  return row ? toDirect(row) : null;
}

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
  const page = sql`
    select *${hasLast ? lastMessage(sql) : sql``} from (
      select ${sql.unsafe(PAGE_COLUMNS.direct)}, coalesce(r.last_message_at, r.created_at) as active_at
      from memberships m
      cross join lateral (
        select * from rooms where id = m.room_id and kind = 'direct' and deleted_at is null limit 1
      ) r
      where m.user_id = ${userId} and m.is_direct
    ) memberships
    where (active_at < ${after.at} or active_at = ${after.at} and id > ${after.id})
      and (${hasHidden} or hidden_at is null or last_message_at > hidden_at or ${sql.unsafe(IS_UNREAD)})
    order by active_at desc, id limit ${limit}`;
  return sql<DirectRow[]>`
    ${selectViewersRooms(sql, "direct", page)} order by memberships.active_at desc, memberships.id`;
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

/** @returns a hash of a set of people, the same for any order and for repeated ids */
export function makeDirectKey(userIds: string[]): Buffer {
  const text = [...new Set(userIds.map((id) => id.toLowerCase()))].toSorted().join(" ");
  return Buffer.from(new Bun.CryptoHasher("sha256").update(text).digest());
}
