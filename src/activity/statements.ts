/**
 * Hand-written SQL: a mark that moves and is announced in one statement, and the people of many
 * messages (unnest, lateral).
 */
import type { UserFields } from "../accounts/users.ts";
import type { SqlClient } from "../database/connect.ts";
import { notifyInStatement } from "../feed/statements.ts";

/** Moves a person's mark forward, at most to now, and notifies the person's sockets. */
export async function moveActivityMark(sql: SqlClient, userId: string, at: Date): Promise<void> {
  await sql`
    with moved as (
      update users set activity_read_at = least(${at}, clock_timestamp())
      where id = ${userId} and activity_read_at < least(${at}, clock_timestamp())
      returning id
    )
    select ${notifyInStatement(sql, "activity_updated", sql`'user_id', id`)} from moved`;
}

/** Who reacted to a message of a person. */
type ReactorRow = UserFields & { message_id: string; user_id: string; total: number };

/** The people who reacted last to each of these messages, the newest first, without its author. */
export function readReactors(
  sql: SqlClient,
  authorId: string,
  messageIds: string[],
  limit: number,
) {
  return sql<ReactorRow[]>`
    select wanted.id as message_id, r.user_id, r.total, u.username, u.display_name,
      u.avatar_version, u.is_bot, u.is_active
    from unnest(${messageIds}::uuid[]) as wanted(id)
    cross join lateral (
      select user_id, max(created_at) as at, count(*) over ()::int as total
      from message_reactions where message_id = wanted.id and user_id <> ${authorId}
      group by user_id order by at desc, user_id limit ${limit}
    ) r
    join users u on u.id = r.user_id
    order by r.at desc, r.user_id`;
}
