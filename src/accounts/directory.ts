import { and, asc, eq, gt, ilike, or, sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { likePrefix } from "../database/like.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { users } from "../database/schema.ts";
import { decodeCursor, toPage } from "../platform/cursor.ts";
import { isOnline, toStatus } from "../presence/read.ts";
import type { Page, Status, User } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { toUser, userColumns } from "./users.ts";

type Range = { after: string; limit: number };

const selectByPrefix = prepareQuery(
  "search_users",
  (db, params: Params<Range & { prefix: string; wordPrefix: string }>) =>
    db
      .select(userColumns)
      .from(users)
      .where(
        and(
          eq(users.isActive, true),
          gt(users.username, params.after),
          or(
            ilike(users.username, params.prefix),
            ilike(users.displayName, params.prefix),
            ilike(users.displayName, params.wordPrefix),
          ),
        ),
      )
      .orderBy(asc(users.username))
      .limit(params.limit),
);

const selectOnline = prepareQuery("list_online", (db, params: Params<Range>) =>
  db
    .select(userColumns)
    .from(users)
    .where(and(eq(users.isActive, true), isOnline, gt(users.username, params.after)))
    .orderBy(asc(users.username))
    .limit(params.limit),
);

/** Active users whose username, or a word of whose display name, starts with the query; by username. */
export async function searchUsers(
  tx: Query,
  { query = "", cursor, limit }: { query?: string; cursor?: string; limit: number },
): Promise<Page<User>> {
  const prefix = likePrefix(query.trim());
  const values = { ...rangeOf({ cursor, limit }), prefix, wordPrefix: `% ${prefix}` };
  return toUserPage(await selectByPrefix(tx, values), limit);
}

/** Users who are online now, by username. */
export async function listOnlineUsers(tx: Query, query: PageQuery): Promise<Page<User>> {
  return toUserPage(await selectOnline(tx, rangeOf(query)), query.limit);
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

/** From the start, every username follows the empty one. */
function rangeOf({ cursor, limit }: PageQuery): Range {
  return { after: decodeCursor(cursor) ?? "", limit: limit + 1 };
}

function toUserPage(rows: Parameters<typeof toUser>[0][], limit: number): Page<User> {
  return toPage(rows, limit, (row) => row.username, toUser);
}
