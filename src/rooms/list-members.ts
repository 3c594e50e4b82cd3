import type { Fragment, SqlClient } from "../database/connect.ts";
import { decodeCursor, toPage } from "../platform/input/cursor.ts";
import { IS_ONLINE, toStatus } from "../presence/read.ts";
import { toUser, type UserFields, userFields } from "../users/users.ts";
import { MAX_MEMBERS_AT_ONCE, MAX_MEMBERS_PER_QUERY } from "../wire/limits.ts";
import type { Member, Page, Role } from "../wire/models.ts";
import type { MembersQuery } from "../wire/queries.ts";
import { requireMembership } from "./access.ts";

/** A page of a larger room follows the index of all usernames, which is faster than sorting its members. */
const MAX_SORTED_MEMBERS = 1_000;

type MemberRow = UserFields & { id: string; role: Role; joined_at: Date; is_online: boolean };
type Range = { after: string; limit: number };

/**
 * Lists a room's members by username: in pages, all at once, or those that the query names.
 * @throws Refusal of `requireMembership`
 */
export async function listMembers(
  sql: SqlClient,
  viewerId: string,
  roomId: string,
  query: MembersQuery,
): Promise<Page<Member>> {
  const { memberCount } = await requireMembership(sql, viewerId, roomId, "room_member");
  const userIds = query.user_ids?.split(",");
  const pageLimit = query.all ? MAX_MEMBERS_AT_ONCE : query.limit;
  const limit = userIds ? MAX_MEMBERS_PER_QUERY : pageLimit;
  const range = { after: decodeCursor(query.cursor) ?? "", limit: limit + 1 };
  const isSorted = memberCount <= Math.max(MAX_SORTED_MEMBERS, limit);
  const rows = userIds
    ? await readNamedMembers(sql, roomId, userIds, range)
    : await (isSorted ? readSortedMembers : readMembersByName)(sql, roomId, range);
  return toPage(rows, limit, (row) => row.username, toMember);
}

function toMember(row: MemberRow): Member {
  return {
    user: toUser(row),
    role: row.role,
    joined_at: row.joined_at.toISOString(),
    status: toStatus(row.is_online),
  };
}

const memberColumns = (sql: SqlClient) => sql`
  u.id, ${sql.unsafe(userFields("u"))}, u.appear_offline,
  m.role, m.joined_at`;

/** Looks up who is online for the page only. `IS_ONLINE` needs the name `users`. */
const withPresence = (sql: SqlClient, page: Fragment) => sql<MemberRow[]>`
  with users as materialized (${page})
  select users.*, ${sql.unsafe(IS_ONLINE)} as is_online from users order by username`;

function readSortedMembers(sql: SqlClient, roomId: string, { after, limit }: Range) {
  return withPresence(
    sql,
    sql`select ${memberColumns(sql)}
      from memberships m
      cross join lateral (select * from users where id = m.user_id and username > ${after} limit 1) u
      where m.room_id = ${roomId}
      order by u.username limit ${limit}`,
  );
}

function readMembersByName(sql: SqlClient, roomId: string, { after, limit }: Range) {
  return withPresence(
    sql,
    sql`select ${memberColumns(sql)}
      from users u
      cross join lateral (
        select * from memberships where room_id = ${roomId} and user_id = u.id limit 1
      ) m
      where u.username > ${after}
      order by u.username limit ${limit}`,
  );
}

function readNamedMembers(
  sql: SqlClient,
  roomId: string,
  userIds: string[],
  { after, limit }: Range,
) {
  return withPresence(
    sql,
    sql`select ${memberColumns(sql)}
      from memberships m join users u on u.id = m.user_id
      where m.room_id = ${roomId} and m.user_id = any(${userIds}::uuid[]) and u.username > ${after}
      order by u.username limit ${limit}`,
  );
}
