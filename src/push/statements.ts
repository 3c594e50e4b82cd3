import type { SqlClient } from "../database/connect.ts";
import { READ_SEQ } from "../messages/threads/marks.ts";
import { maxAttemptsOf } from "../jobs-queue/kinds.ts";
import { LEASE_SECONDS } from "../presence/presence.ts";
import { isBroadcastTo } from "../rooms/unread.ts";
import type { PushPreview, QuietHours } from "../wire/models.ts";
import type { Subscription } from "./subscriptions.ts";

/**
 * Hand-written SQL: an insert in a CTE, and a lateral join that drizzle would make into one
 * subquery per use.
 */

/** Gives the database a moment to record who has just opened the room, left it or read the message. */
const DELAY_SECONDS = 1;

/**
 * Queues the notifications of new messages, if there is any subscription: one statement checks and
 * inserts, since it runs for each batch of messages. A message's job has the message's id, so that it
 * is queued once. Runners are not notified: they find the job by the time it is due.
 * @returns false if there is no subscription
 */
export async function enqueuePushes(sql: SqlClient, messageIds: string[]): Promise<boolean> {
  const [row] = await sql<{ wanted: boolean }[]>`
    with wanted as materialized (
      select exists (select from push_subscriptions) as wanted
    ), queued as (
      insert into jobs (id, kind, payload, run_at, max_attempts)
      select id, 'push', json_build_object('messageId', id),
        clock_timestamp() + ${DELAY_SECONDS} * interval '1 second', ${maxAttemptsOf("push")}
      from unnest(${messageIds}::uuid[]) as m(id), wanted where wanted
      on conflict (id) do nothing
    )
    select wanted from wanted`;
  return row?.wanted ?? false;
}

/** A browser to notify of a message. */
export type Recipient = Subscription & {
  isMentioned: boolean;
  preview: PushPreview;
  quietHours: QuietHours | null;
  /** The key of a retry: one for a room's messages, and one for its mentions. */
  retryKey: string;
  /** A retry for an earlier message waits: this message takes its place. */
  isWaiting: boolean;
};

/**
 * The browsers to notify of a message, as of now: of active members except its author (a webhook's
 * creator is not its author) who have not read it, do not have the room open on any instance, have not
 * paused notifications, and want to be notified by this room. A reply is for those who follow its thread
 * and have not read it there, and those who want every reply. It makes no difference whether a member
 * appears offline to others.
 * @param after the last subscription of the page before
 * @param only one subscription, for a retry
 */
export function findRecipients(
  sql: SqlClient,
  messageId: string,
  { after, only = null, limit }: { after: string; only?: string | null; limit: number },
): Promise<Recipient[]> {
  return sql<Recipient[]>`
    select s.id, s.endpoint, s.p256dh, s.auth, mention.is_one as "isMentioned",
      u.push_preview as preview, u.quiet_hours as "quietHours",
      retry.key as "retryKey",
      exists (select from jobs where unique_key = retry.key and failed_at is null
        and locked_by is null) as "isWaiting"
    from messages m
    join rooms on rooms.id = m.room_id
    join memberships ms on ms.room_id = m.room_id
      and (ms.user_id <> m.author_id or m.via_name is not null) and ms.last_read_seq < m.seq
    join users u on u.id = ms.user_id and u.is_active
      and (u.push_paused_until is null or u.push_paused_until <= clock_timestamp())
    join push_subscriptions s on s.user_id = u.id
    join sessions on sessions.id = s.session_id and sessions.expires_at > clock_timestamp()
      and not sessions.is_restricted
    left join message_broadcasts broadcast on broadcast.message_id = m.id
    cross join lateral (
      select exists (select from message_mentions where message_id = m.id and user_id = u.id)
        or exists (select from keyword_hits where message_id = m.id and user_id = u.id)
        or (broadcast.message_id is not null and ${sql.unsafe(isBroadcastTo("u.id"))}) as is_one
    ) mention
    cross join lateral (
      select 'push ' || s.id || ' ' || m.room_id
        || case when mention.is_one then ' mention' else '' end as key
    ) retry
    left join thread_follows f on f.user_id = u.id and f.thread_id = m.thread_id
    left join threads t on t.message_id = f.thread_id
    where m.id = ${messageId} and s.id > ${after} and (${only}::uuid is null or s.id = ${only}::uuid)
      and (ms.notify = 'all' or (ms.notify = 'mentions'
        -- To a partner, every message of two is one that concerns them.
        and (mention.is_one or rooms.direct_kind = 'pair')))
      and (m.thread_id is null
        or (mention.is_one or f.is_following or ms.thread_push = 'all')
          and coalesce(${sql.unsafe(READ_SEQ)} < m.seq, true))
      and not exists (
        select from open_rooms o join instances i on i.id = o.instance_id
        where o.room_id = m.room_id and o.user_id = u.id
          and i.heartbeat_at > clock_timestamp() - ${LEASE_SECONDS} * interval '1 second')
    order by s.id limit ${limit}`;
}
