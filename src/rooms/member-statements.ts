/*
 * Hand-written SQL: a room's members are read whenever a client opens it (`bench/routes.ts`,
 * `bench/first-load.ts`). They come as ids, versions and what is the member's alone, packed into
 * one text; who is online is looked up only for the page, which is found first.
 */
import type { UserHead } from "../accounts/statements.ts";
import type { SqlClient } from "../database/connect.ts";
import { type PackedRows, splitPackedRows } from "../database/packed-rows.ts";
import { IS_ONLINE, LIVE_INSTANCES } from "../presence/read.ts";
import type { Role } from "../wire/models.ts";

export type MemberHead = UserHead & { role: Role; joinedAt: Date; isOnline: boolean };
/** A member of a large room, with the number of the user. */
export type LargeRoomHead = Omit<MemberHead, "isOnline"> & { number: number };

function toHeads([row]: PackedRows[]): MemberHead[] {
  return splitPackedRows(row?.packed).map(
    ([id = "", version = "", username = "", role, joinedMs, online]) => ({
      id,
      version,
      username,
      role: role as Role,
      joinedAt: new Date(Number(joinedMs)),
      isOnline: online === "t",
    }),
  );
}

/** The packed rows of a `page`, under the name that `IS_ONLINE` needs. */
const PACKED = `
  select string_agg(concat_ws(' ', id, version, username, role,
    (extract(epoch from joined_at) * 1000)::bigint, ${IS_ONLINE}), E'\\n' order by username) as packed
  from page as users`;

type Range = { after: string; limit: number };

/** A room's members whose usernames come after one, by username, all of them sorted. */
export async function readSortedMemberHeads(
  sql: SqlClient,
  roomId: string,
  { after, limit }: Range,
): Promise<MemberHead[]> {
  return toHeads(
    await sql<PackedRows[]>`
      with page as (
        select u.id, u.xmin as version, u.username, u.appear_offline, m.role, m.joined_at
        from memberships m
        cross join lateral (
          select id, username, appear_offline, xmin from users
          where id = m.user_id and username > ${after} limit 1
        ) u
        where m.room_id = ${roomId}
        order by u.username limit ${limit}
      )
      ${sql.unsafe(PACKED)}`,
  );
}

/** The same, along the usernames of all users: for a page of a room in which many of them are. */
export async function readMemberHeadsByName(
  sql: SqlClient,
  roomId: string,
  { after, limit }: Range,
): Promise<MemberHead[]> {
  return toHeads(
    await sql<PackedRows[]>`
      with page as (
        select u.id, u.xmin as version, u.username, u.appear_offline, m.role, m.joined_at
        from users u
        cross join lateral (
          select * from memberships where room_id = ${roomId} and user_id = u.id limit 1
        ) m
        where u.username > ${after}
        order by u.username limit ${limit}
      )
      ${sql.unsafe(PACKED)}`,
  );
}

/** Those of the users who are members of a room, by username. */
export async function readNamedMemberHeads(
  sql: SqlClient,
  roomId: string,
  userIds: string[],
  after: string,
): Promise<MemberHead[]> {
  return toHeads(
    await sql<PackedRows[]>`
      with page as (
        select u.id, u.xmin as version, u.username, u.appear_offline, m.role, m.joined_at
        from memberships m join users u on u.id = m.user_id
        where m.room_id = ${roomId} and m.user_id = any(${userIds}::uuid[]) and u.username > ${after}
      )
      ${sql.unsafe(PACKED)}`,
  );
}

/** The numbers of the members who are live and visible. */
export async function readOnlineNumbers(sql: SqlClient, roomId: string): Promise<number[]> {
  const [row] = await sql<{ online: string | null }[]>`
    select string_agg(u.number::text, ' ') as online
    from memberships m join presence p on p.user_id = m.user_id join users u on u.id = m.user_id
    where m.room_id = ${roomId} and not u.appear_offline
      and p.instance_id = any(array(${sql.unsafe(LIVE_INSTANCES)}))`;
  return row?.online?.split(" ").map(Number) ?? [];
}

/** All members of a room by username. */
export async function readLargeRoomHeads(sql: SqlClient, roomId: string): Promise<LargeRoomHead[]> {
  const [row] = await sql<PackedRows[]>`
    select string_agg(concat_ws(' ', u.id, u.xmin, u.username, m.role,
      (date_part('epoch', m.joined_at) * 1000)::bigint, u.number), E'\n' order by u.username) as packed
    from memberships m join users u on u.id = m.user_id where m.room_id = ${roomId}`;
  return splitPackedRows(row?.packed).map(
    ([id = "", version = "", username = "", role, joinedMs, number]) => ({
      id,
      version,
      username,
      role: role as Role,
      joinedAt: new Date(Number(joinedMs)),
      number: Number(number),
    }),
  );
}
