import { sql } from "drizzle-orm";
import type { Query, SqlClient } from "../database/connect.ts";
import { likePrefix } from "../database/like.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { users } from "../database/schema.ts";
import { decodeCursor, renderTextPage, toPage } from "../platform/cursor.ts";
import { isOnline, toStatus } from "../presence/read.ts";
import type { Status, User } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { findUserHeads, readOnlineHeads, type UserHead } from "./statements.ts";
import { renderUsers } from "./user-texts.ts";
import { toUser, userColumns } from "./users.ts";

/**
 * Active users whose username, or a word of whose display name, starts with the query; by username.
 * @returns the JSON of a page of `User`
 */
export async function searchUsers(
  client: SqlClient,
  { query = "", cursor, limit }: { query?: string; cursor?: string; limit: number },
): Promise<string> {
  const prefix = likePrefix(query.trim());
  const heads = await findUserHeads(client, { ...rangeOf({ cursor, limit }), prefix });
  return renderPage(client, heads, limit);
}

/**
 * Users who are online now, by username.
 * @returns the JSON of a page of `User`
 */
export async function listOnlineUsers(client: SqlClient, query: PageQuery): Promise<string> {
  return renderPage(client, await readOnlineHeads(client, rangeOf(query)), query.limit);
}

const selectPeople = prepareQuery("read_people", (db, params: Params<{ ids: string[] }>) =>
  db
    .select({ ...userColumns, online: isOnline })
    .from(users)
    .where(sql`${users.id} = any(${params.ids}::uuid[])`),
);

/** Users as others see them, with whether they are online, by id. */
export async function readPeople(
  tx: Query,
  ids: string[],
): Promise<Map<string, { user: User; status: Status }>> {
  const rows = await selectPeople(tx, { ids });
  return new Map(rows.map((row) => [row.id, { user: toUser(row), status: toStatus(row.online) }]));
}

/** The first page: every username sorts after the empty string. */
function rangeOf({ cursor, limit }: PageQuery) {
  return { after: decodeCursor(cursor) ?? "", limit: limit + 1 };
}

async function renderPage(client: SqlClient, heads: UserHead[], limit: number): Promise<string> {
  const { items, next } = toPage(
    heads,
    limit,
    ({ username }) => username,
    (head) => head,
  );
  return renderTextPage(await renderUsers(client, items), next);
}
