import { MAX_UNREAD } from "../wire/limits.ts";

/**
 * What is unread in a room, as SQL columns of a query in which `memberships` is the reader's
 * membership. A member's own messages are not news; those of the member's webhooks are. Both look at
 * a bounded number of messages, so that a bot that posts and never reads does not slow them.
 */
const IS_NEWS = "(m.author_id <> memberships.user_id or m.via_name is not null)";

/** Boolean: whether one of the newest messages after the mark is news. */
export const UNREAD = `exists (
  select from (
    select author_id, via_name from messages
    where room_id = memberships.room_id and seq > memberships.last_read_seq
    order by seq desc limit ${MAX_UNREAD}
  ) m where ${IS_NEWS})`;

/** Integer: how many messages after the mark mention the reader. */
export const MENTION_COUNT = `(
  select count(*)::int from (
    select from message_mentions x join messages m on m.id = x.message_id
    where x.user_id = memberships.user_id and x.room_id = memberships.room_id
      and x.seq > memberships.last_read_seq and ${IS_NEWS}
    limit ${MAX_UNREAD}
  ) mentions)`;
