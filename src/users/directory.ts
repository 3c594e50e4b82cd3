import { sql } from "drizzle-orm";
import type { Fragment, Query, SqlClient } from "../database/connect.ts";
import { likePrefix } from "../database/like.ts";
import { users } from "../database/schema.ts";
import { decodeCursor, toPage } from "../platform/input/cursor.ts";
import { IS_ONLINE, isOnline, toStatus } from "../presence/read.ts";
import type { Page, Status, User } from "../wire/models.ts";
import type { PageQuery, SearchQuery } from "../wire/queries.ts";
import { toUser, userColumns, type UserFields, userFields } from "./users.ts";

/** Lists active users by username. The query matches the start of the username or of a word in the display name. */
export function searchUsers(client: SqlClient, { query = "", ...page }: SearchQuery) {
  const prefix = likePrefix(query.trim());
  // Without the case PostgreSQL sorts all users instead of reading them in the index's order.
  const matches = client`case when ${prefix} = '%' then true else username ilike ${prefix}
    or display_name ilike ${prefix} or display_name ilike ${`% ${prefix}`} end`;
  return listActiveUsers(client, matches, page);
}

export function listOnlineUsers(client: SqlClient, page: PageQuery) {
  const isHere = client`id = any(array(select user_id from presence))`;
  return listActiveUsers(client, client`${isHere} and ${client.unsafe(IS_ONLINE)}`, page);
}

async function listActiveUsers(
  client: SqlClient,
  condition: Fragment,
  { cursor, limit }: PageQuery,
): Promise<Page<User>> {
  const rows = await client<(UserFields & { id: string })[]>`
    select id, ${client.unsafe(userFields("users"))} from users
    where is_active and username > ${decodeCursor(cursor) ?? ""} and ${condition}
    order by username limit ${limit + 1}`;
  return toPage(rows, limit, ({ username }) => username, toUser);
}

export async function readPeople(
  tx: Query,
  ids: string[],
): Promise<Map<string, { user: User; status: Status }>> {
  const rows = await tx
    .select({ ...userColumns, online: isOnline })
    .from(users)
    .where(sql`${users.id} = any(${sql.param(ids)}::uuid[])`);
  return new Map(rows.map((row) => [row.id, { user: toUser(row), status: toStatus(row.online) }]));
}
