import { and, asc, eq, gt, ilike, or } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import { decodeCursor, page } from "../platform/cursor.ts";
import { isOnline } from "../presence/read.ts";
import type { Page, User } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { toUser, userColumns } from "./users.ts";

/** Active users whose username, or a word of whose display name, starts with the query, by username. */
export async function searchUsers(
  tx: Query,
  query: { query?: string; cursor?: string; limit: number },
): Promise<Page<User>> {
  const after = decodeCursor(query.cursor);
  const prefix = query.query?.trim() ? `${escapeLike(query.query.trim())}%` : null;
  const rows = await tx
    .select(userColumns)
    .from(users)
    .where(
      and(
        eq(users.isActive, true),
        after === null ? undefined : gt(users.username, after),
        prefix === null
          ? undefined
          : or(
              ilike(users.username, prefix),
              ilike(users.displayName, prefix),
              // One is called by one's last name too.
              ilike(users.displayName, `% ${prefix}`),
            ),
      ),
    )
    .orderBy(asc(users.username))
    .limit(query.limit + 1);
  const { items, next } = page(rows, query.limit, (row) => row.username);
  return { items: items.map(toUser), next };
}

/** Everyone who is online now, by username. */
export async function listOnline(tx: Query, query: PageQuery): Promise<Page<User>> {
  const after = decodeCursor(query.cursor);
  const rows = await tx
    .select(userColumns)
    .from(users)
    .where(
      and(
        eq(users.isActive, true),
        isOnline,
        after === null ? undefined : gt(users.username, after),
      ),
    )
    .orderBy(asc(users.username))
    .limit(query.limit + 1);
  const { items, next } = page(rows, query.limit, (row) => row.username);
  return { items: items.map(toUser), next };
}

/** Makes text match itself in LIKE. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
