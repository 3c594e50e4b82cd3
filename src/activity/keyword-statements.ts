/**
 * Hand-written SQL: rows of many messages at once (unnest), and marks that are announced as they
 * are read.
 */
import type { SqlClient } from "../database/connect.ts";
import { notifyInStatement } from "../feed/statements.ts";
import { markColumns } from "../rooms/statements.ts";

export type KeywordOwner = { id: string; keywords: string[] };

/** Reads the keywords of everyone who has any. */
export function readKeywordOwners(sql: SqlClient) {
  return sql<KeywordOwner[]>`
    select id, keywords from users where keywords <> '{}' and is_active and not is_bot`;
}

/** A message that contains a keyword of a person. */
export type KeywordMatch = { messageId: string; userId: string };
type KeywordHit = { user_id: string; room_id: string };

/**
 * Stores which messages contain a keyword of someone else who is in the room.
 * @returns those people, with the rooms
 */
export function insertKeywordHits(sql: SqlClient, matches: KeywordMatch[]) {
  return sql<KeywordHit[]>`
    with hits as (
      insert into keyword_hits (message_id, user_id, room_id, seq, created_at)
      select m.id, x.user_id, m.room_id, m.seq, m.created_at
      from unnest(
        ${matches.map(({ messageId }) => messageId)}::uuid[],
        ${matches.map(({ userId }) => userId)}::uuid[]
      ) as x(message_id, user_id)
      join messages m on m.id = x.message_id
      join memberships ms on ms.room_id = m.room_id and ms.user_id = x.user_id and not ms.is_direct
      join users u on u.id = x.user_id and u.is_active
      where (m.author_id <> x.user_id or m.via_name is not null)
        and not exists (
          select from message_mentions n where n.message_id = m.id and n.user_id = x.user_id
        )
      order by m.id, x.user_id
      on conflict do nothing returning user_id, room_id
    )
    select distinct user_id, room_id from hits`;
}

/** Notifies these people's sockets of their unread counts in these rooms, and of new activity. */
export async function announceKeywordHits(sql: SqlClient, hits: KeywordHit[]): Promise<void> {
  const fields = sql`'user_id', user_id, 'room_id', room_id, 'mark', mark`;
  await sql`
    with marked as (
      select ms.room_id, ms.user_id, ms.last_read_at, ms.last_read_seq, ms.version
      from unnest(
        ${hits.map((hit) => hit.user_id)}::uuid[], ${hits.map((hit) => hit.room_id)}::uuid[]
      ) as x(user_id, room_id)
      join memberships ms on ms.room_id = x.room_id and ms.user_id = x.user_id
    ), read as (
      select memberships.user_id, memberships.room_id, ${markColumns(sql)}
    ), people as (
      select distinct user_id from marked
    )
    select ${notifyInStatement(sql, "read", fields)} from read
    union all
    select ${notifyInStatement(sql, "activity_updated", sql`'user_id', user_id`)} from people`;
}
