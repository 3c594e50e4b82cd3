import type { SqlClient } from "../database/connect.ts";
import { LEASE_SECONDS } from "../presence/presence.ts";
import type { Told } from "./payload.ts";
import type { Subscription } from "./subscriptions.ts";

/** A browser that is to be told of a message. */
export type Recipient = Subscription & {
  mentioned: boolean;
  /** What a further try is queued by: at most one for a room's messages, and one for its mentions. */
  key: string;
  /** One waits already, for an earlier message: this message takes its place. */
  waits: boolean;
};

/** A notification that is older than this is no news. */
export const NEWS_SECONDS = 86_400;

/** What is to be told of a message; null if it is gone or too old. */
export async function readTold(sql: SqlClient, messageId: string): Promise<Told | null> {
  const [row] = await sql<Told[]>`
    select m.id as "messageId", m.room_id as "roomId", r.name as "roomName",
      coalesce(m.via_name, u.display_name, u.username) as sender, m.content,
      m.image_id is not null as "hasImage", m.created_at as "createdAt"
    from messages m join rooms r on r.id = m.room_id join users u on u.id = m.author_id
    where m.id = ${messageId}
      and m.created_at > clock_timestamp() - ${NEWS_SECONDS} * interval '1 second'`;
  return row ?? null;
}

/**
 * Those to be told of a message, as things are now: active members but its author (a webhook's maker is none), who have not read
 * it, do not have its room open on any instance, have not paused, and want to hear of it from this
 * room. Appearing offline is for others' eyes and changes nothing here.
 * @param after the last subscription of the page before
 * @param only one subscription, to try it again
 */
export function readRecipients(
  sql: SqlClient,
  messageId: string,
  { after, only = null, limit }: { after: string; only?: string | null; limit: number },
): Promise<Recipient[]> {
  return sql<Recipient[]>`
    select s.id, s.endpoint, s.p256dh, s.auth, mm.user_id is not null as mentioned, retry.key,
      exists (select from jobs where unique_key = retry.key and failed_at is null
        and locked_by is null) as waits
    from messages m
    join memberships ms on ms.room_id = m.room_id and (ms.user_id <> m.author_id or m.via_name is not null)
      and ms.last_read_seq < m.seq
    join users u on u.id = ms.user_id and u.is_active
      and (u.push_paused_until is null or u.push_paused_until <= clock_timestamp())
    join push_subscriptions s on s.user_id = u.id
    join sessions on sessions.id = s.session_id and sessions.expires_at > clock_timestamp()
    left join message_mentions mm on mm.message_id = m.id and mm.user_id = u.id
    cross join lateral (
      select 'push ' || s.id || ' ' || m.room_id
        || case when mm.user_id is null then '' else ' mention' end as key
    ) retry
    where m.id = ${messageId} and s.id > ${after} and (${only}::uuid is null or s.id = ${only}::uuid)
      and (ms.notify = 'all' or (ms.notify = 'mentions' and mm.user_id is not null))
      and not exists (
        select from open_rooms o join instances i on i.id = o.instance_id
        where o.room_id = m.room_id and o.user_id = u.id
          and i.heartbeat_at > clock_timestamp() - ${LEASE_SECONDS} * interval '1 second')
    order by s.id limit ${limit}`;
}
