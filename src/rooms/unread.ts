import type { SqlClient } from "../database/connect.ts";
import { MESSAGE_WRITER } from "../database/schema.ts";
import { MAX_DIRECT_UNREAD, MAX_UNREAD } from "../wire/limits.ts";
import type { UnreadCount } from "../wire/models.ts";

/**
 * SQL, for queries in which `memberships` is the reader's: whether a message counts as unread. The
 * reader's own messages do not count, but those of the reader's webhooks do. All the SQL below reads
 * a bounded number of rows, since a bot may post for months and never read.
 */
const BY_OTHERS = "(m.author_id <> memberships.user_id or m.via_name is not null)";

/** SQL: whether a row with a room and a number is after the read mark. */
const AFTER_MARK = "room_id = memberships.room_id and seq > memberships.last_read_seq";

/** SQL for the author in the room with the lowest id, optionally after another. */
const nextWriter = (after = "") => `(
  select ${MESSAGE_WRITER} from messages where room_id = memberships.room_id ${after}
  order by ${MESSAGE_WRITER} limit 1)`;

/** SQL condition that excludes the deleted root of a thread, which is never unread. */
const STAYS = "deleted_at is null";

/**
 * SQL, boolean: whether someone else wrote a message after the mark. It is nearly always among the newest;
 * if all of those are the reader's own, one index lookup for each writer finds it.
 */
export const UNREAD = `(exists (
  select from (
    select author_id, via_name from messages where ${AFTER_MARK} and ${STAYS}
    order by seq desc limit ${MAX_UNREAD}
  ) m where ${BY_OTHERS}
) or exists (
  select from messages where ${AFTER_MARK} order by seq offset ${MAX_UNREAD}
) and exists (
  with recursive writers(id) as (
    select ${nextWriter()}
    union all
    select ${nextWriter(`and ${MESSAGE_WRITER} > writers.id`)} from writers where id is not null
  )
  select from writers where id <> memberships.user_id and exists (
    select from messages where ${AFTER_MARK} and ${MESSAGE_WRITER} = writers.id and ${STAYS})
))`;

/** SQL, integer: how many of the newest messages after the mark are by others, up to a limit. */
const countUnread = (limit: number, and = "") => `(
  select count(*)::int from (
    select from (
      select author_id, via_name from messages where ${AFTER_MARK} and ${STAYS} ${and}
      order by seq desc limit ${MAX_UNREAD}
    ) m where ${BY_OTHERS} limit ${limit}
  ) counted)`;

/** SQL, integer: the number of unread messages in a conversation, up to a limit. */
export const UNREAD_COUNT = countUnread(MAX_DIRECT_UNREAD);

/**
 * Counts what is unread in a room or conversation, up to `MAX_UNREAD`, and up to a number of its log.
 * @returns the count, with the read mark from which it was counted
 */
export async function readUnreadCount(
  sql: SqlClient,
  userId: string,
  roomId: string,
  lastSeq: number,
): Promise<UnreadCount | null> {
  const [row] = await sql<{ last_read_at: Date; count: number }[]>`
    select last_read_at, ${sql.unsafe(countUnread(MAX_UNREAD, `and seq <= ${Math.trunc(lastSeq)}`))} as count
    from memberships where room_id = ${roomId} and user_id = ${userId}`;
  return row ? { last_read_at: row.last_read_at.toISOString(), count: row.count } : null;
}

/** SQL: whether a row of `message_broadcasts` mentions a user. */
export const isBroadcastTo = (userId: string) => `(user_ids is null or ${userId} = any(user_ids))`;

/**
 * SQL, integer: how many of the newest messages after the mark mention the reader by name, by a keyword, or by
 * `@room` or `@here`, and are by someone else.
 */
export const MENTION_COUNT = `(
  select least(count(*), ${MAX_UNREAD})::int from (
    (select message_id from message_mentions
      where user_id = memberships.user_id and ${AFTER_MARK}
      order by seq desc limit ${MAX_UNREAD})
    union
    (select message_id from keyword_hits
      where user_id = memberships.user_id and ${AFTER_MARK}
      order by seq desc limit ${MAX_UNREAD})
    union
    (select message_id from message_broadcasts
      where ${AFTER_MARK} and ${isBroadcastTo("memberships.user_id")}
      order by seq desc limit ${MAX_UNREAD})
  ) x join messages m on m.id = x.message_id where ${BY_OTHERS})`;
