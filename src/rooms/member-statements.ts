/*
 * By hand: a room's members are read whenever a client opens it (`bench/routes.ts`), and who is online
 * is looked up only for the page, which is found first.
 */
import type { UserFields } from "../accounts/users.ts";
import type { SqlClient } from "../database/connect.ts";
import { IS_ONLINE } from "../presence/read.ts";
import type { Role } from "../wire/models.ts";

export type MemberRow = UserFields & {
  id: string;
  role: Role;
  joined_at: Date;
  online: boolean;
};

const pageColumns = (sql: SqlClient) => sql`
  u.id, u.username, u.display_name, u.avatar_version, u.is_bot, u.is_active, u.appear_offline,
  m.role, m.joined_at`;

/** A room with more members is read along the usernames of all users, not sorted for each page. */
const MAX_SORTED_MEMBERS = 1_000;

/** A room's members whose usernames come after one, by username. */
export function readMembers(
  sql: SqlClient,
  roomId: string,
  { after, limit }: { after: string; limit: number },
) {
  return sql<MemberRow[]>`
    with page as (
      (
        select ${pageColumns(sql)} from memberships m
        cross join lateral (
          select * from users where id = m.user_id and username > ${after} limit 1
        ) u
        where m.room_id = ${roomId}
          and (select member_count <= ${MAX_SORTED_MEMBERS} from rooms where id = ${roomId})
        order by u.username limit ${limit}
      ) union all (
        select ${pageColumns(sql)} from users u
        cross join lateral (
          select * from memberships where room_id = ${roomId} and user_id = u.id limit 1
        ) m
        where u.username > ${after}
          and (select member_count > ${MAX_SORTED_MEMBERS} from rooms where id = ${roomId})
        order by u.username limit ${limit}
      )
    )
    select *, ${sql.unsafe(IS_ONLINE)} as online from page as users order by username`;
}

/** Those of the users who are members of a room, by username. */
export function readNamedMembers(sql: SqlClient, roomId: string, userIds: string[], after: string) {
  return sql<MemberRow[]>`
    with page as (
      select ${pageColumns(sql)} from memberships m join users u on u.id = m.user_id
      where m.room_id = ${roomId} and m.user_id = any(${userIds}::uuid[]) and u.username > ${after}
    )
    select *, ${sql.unsafe(IS_ONLINE)} as online from page as users order by username`;
}
