import { MAX_UNREAD } from "../wire/limits.ts";

/**
 * SQL columns for what is unread in a room, in a query in which `memberships` is the reader's
 * membership. A member's own messages do not count; those of the member's webhooks do. Both read a
 * bounded number of messages, so that a bot that posts and never reads does not slow them down.
 */
const BY_OTHERS = "(m.author_id <> memberships.user_id or m.via_name is not null)";

/** Boolean: whether one of the newest messages after the mark is by someone else. */
export const UNREAD = `exists (
  select from (
    select author_id, via_name from messages
    where room_id = memberships.room_id and seq > memberships.last_read_seq
    order by seq desc limit ${MAX_UNREAD}
  ) m where ${BY_OTHERS})`;

/** Integer: how many messages after the mark mention the reader. */
export const MENTION_COUNT = `(
  select count(*)::int from (
    select from message_mentions x join messages m on m.id = x.message_id
    where x.user_id = memberships.user_id and x.room_id = memberships.room_id
      and x.seq > memberships.last_read_seq and ${BY_OTHERS}
    limit ${MAX_UNREAD}
  ) mentions)`;
