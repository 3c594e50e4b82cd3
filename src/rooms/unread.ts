import { MESSAGE_WRITER } from "../database/schema.ts";
import { MAX_DIRECT_UNREAD, MAX_UNREAD } from "../wire/limits.ts";

/**
 * SQL columns for what is unread in a room, in a query in which `memberships` is the reader's
 * membership. A member's own messages do not count; those of the member's webhooks do. Both read a
 * bounded number of rows, so that a bot that posts and never reads does not slow them down.
 */
const BY_OTHERS = "(m.author_id <> memberships.user_id or m.via_name is not null)";

/** SQL: the rows with a room and a number that are after the mark. */
const AFTER_MARK = "room_id = memberships.room_id and seq > memberships.last_read_seq";

/** The first writer in the room, or the first after another, by id. */
const nextWriter = (after = "") => `(
  select ${MESSAGE_WRITER} from messages where room_id = memberships.room_id ${after}
  order by ${MESSAGE_WRITER} limit 1)`;

/**
 * Boolean: whether one of the messages after the mark is by someone else. It is nearly always among
 * the newest; where all of those are the reader's own, one index lookup for each writer finds it.
 */
/** A deleted root is not unread. */
const STAYS = "deleted_at is null";

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

/**
 * Integer: how many of the newest messages after the mark of a conversation are by others, at most
 * `MAX_DIRECT_UNREAD`.
 */
export const UNREAD_COUNT = `(
  select count(*)::int from (
    select from (
      select author_id, via_name from messages where ${AFTER_MARK}
      order by seq desc limit ${MAX_UNREAD}
    ) m where ${BY_OTHERS} limit ${MAX_DIRECT_UNREAD}
  ) counted)`;

/** SQL: whether a row of `message_broadcasts` mentions the user of this column. */
export const isBroadcastTo = (userId: string) => `(user_ids is null or ${userId} = any(user_ids))`;

/**
 * Integer: how many of the newest mentions of the reader after the mark are by someone else: by
 * name, by a keyword, or by `@room` and `@here`. A message counts once.
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
