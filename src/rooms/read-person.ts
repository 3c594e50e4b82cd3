import type { SqlClient } from "../database/connect.ts";
import { IS_ONLINE, toStatus } from "../presence/read.ts";
import { makeUnknownUserRefusal, toUser, type UserFields, userFields } from "../users/users.ts";
import type { Person } from "../wire/models.ts";

type PersonRow = UserFields & {
  id: string;
  time_zone: string | null;
  is_online: boolean;
  shared_room_ids: string[];
};

/**
 * Reads a user as another sees them. The rooms are those of the viewer's own memberships.
 * @throws Refusal `not_found`
 */
export async function readPerson(
  sql: SqlClient,
  viewerId: string,
  userId: string,
): Promise<Person> {
  const [row] = await sql<PersonRow[]>`
    select id, ${sql.unsafe(userFields("users"))},
      case when is_active then time_zone end as time_zone,
      ${sql.unsafe(IS_ONLINE)} as is_online,
      array(
        select r.id from memberships own
        join memberships m on m.room_id = own.room_id and m.user_id = users.id
        join rooms r on r.id = own.room_id and r.kind = 'room'
        where own.user_id = ${viewerId}
        order by r.name
      ) as shared_room_ids
    from users where id = ${userId}`;
  if (!row) throw makeUnknownUserRefusal({ id: userId });
  const { time_zone, is_online, shared_room_ids } = row;
  return { user: toUser(row), status: toStatus(is_online), time_zone, shared_room_ids };
}
