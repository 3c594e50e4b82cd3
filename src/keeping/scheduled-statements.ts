/** Hand-written SQL: JSON of uploads and rooms in the same read, and many rows that change at once. */
import type { SqlClient } from "../database/connect.ts";
import { NO_THREAD, ROOM_SHARD } from "../database/schema.ts";
import { notifyInStatement } from "../feed/statements.ts";
import { insertJobsText } from "../jobs-queue/statements.ts";
import type { TimedPlace } from "../platform/timed-cursor.ts";
import { LATE_SECONDS } from "../wire/limits.ts";
import type { Code } from "../wire/codes.ts";
import type { Scheduled } from "../wire/keeping.ts";
import { type KeptColumns, keptColumns, keptJoins } from "./kept-columns.ts";

export type ScheduledRow = KeptColumns &
  Pick<Scheduled, "id" | "thread_id" | "quote_id" | "content" | "group_id" | "zone"> &
  Pick<Scheduled, "state" | "reason" | "message_id" | "sent_late"> & {
    image_alt: string | null;
    send_at: Date;
    ended_at: Date | null;
    created_at: Date;
  };

const columns = (sql: SqlClient) => sql`
  s.id, s.room_id, s.thread_id, s.quote_id, s.content, s.image_alt, s.group_id, s.send_at, s.zone,
  s.state, s.reason, s.message_id, s.ended_at, s.created_at,
  s.state = 'sent' and s.ended_at > s.send_at + ${LATE_SECONDS} * interval '1 second' as sent_late,
  ${sql.unsafe(keptColumns("s"))}`;

/**
 * Someone's scheduled messages by their time, after a place in the list. Sent ones are listed for a
 * day.
 */
export function readScheduledPage(
  sql: SqlClient,
  userId: string,
  after: TimedPlace | null,
  limit: number,
) {
  const [time, id] = [after?.at ?? null, after?.id ?? null];
  return sql<ScheduledRow[]>`
    select ${columns(sql)} from scheduled_messages s ${sql.unsafe(keptJoins("s"))}
    where s.user_id = ${userId}
      and (s.state <> 'sent' or s.ended_at > clock_timestamp() - interval '1 day')
      and (${time}::timestamptz is null or (s.send_at, s.id) > (${time}::timestamptz, ${id}::uuid))
    order by s.send_at, s.id limit ${limit}`;
}

/** Those of someone's scheduled messages with these ids. */
export function readScheduled(sql: SqlClient, userId: string, ids: string[]) {
  return sql<ScheduledRow[]>`
    select ${columns(sql)} from scheduled_messages s ${sql.unsafe(keptJoins("s"))}
    where s.user_id = ${userId} and s.id = any(${ids}::uuid[])`;
}

/** A scheduled message that is to be posted. */
export type DueRow = {
  id: string;
  user_id: string;
  room_id: string;
  thread_id: string | null;
  quote_id: string | null;
  content: string | null;
  image_id: string | null;
  image_alt: string | null;
  file_id: string | null;
  group_id: string | null;
  token_id: string | null;
  send_at: Date;
  /** Whether it is too late to send the message, unless a process has begun to. */
  is_too_late: boolean;
};

/**
 * Claims the first due messages of a shard, so that nobody changes them while they are being sent.
 * @returns them in the order of their times
 */
export async function claimDue(
  sql: SqlClient,
  shard: number,
  { limit, maxHours }: { limit: number; maxHours: number },
): Promise<DueRow[]> {
  return sql<DueRow[]>`
    with due as materialized (
      select id, sending_at is null and send_at < clock_timestamp() - ${maxHours} * interval '1 hour'
        as is_too_late
      from scheduled_messages
      where ${sql.unsafe(ROOM_SHARD)} = ${shard}::int and state = 'waiting' and send_at <= statement_timestamp()
      order by send_at, id limit ${limit} for update
    ), claimed as (
      update scheduled_messages s set sending_at = coalesce(s.sending_at, clock_timestamp())
      from due where s.id = due.id and not due.is_too_late
    )
    select s.id, s.user_id, s.room_id, s.thread_id, s.quote_id, s.content, s.image_id, s.image_alt,
      s.file_id, s.group_id, s.token_id, s.send_at, due.is_too_late
    from due join scheduled_messages s on s.id = due.id
    order by s.send_at, s.id`;
}

/**
 * Notes what was posted.
 * @param sent the ids of scheduled messages and of their messages, in pairs
 */
export async function markSent(
  sql: SqlClient,
  sent: { id: string; messageId: string }[],
): Promise<void> {
  if (sent.length === 0) return;
  await sql`
    with changed as (
      update scheduled_messages s set state = 'sent', message_id = x.message_id, reason = null,
        sending_at = null, ended_at = clock_timestamp()
      from unnest(
        ${sent.map(({ id }) => id)}::uuid[], ${sent.map(({ messageId }) => messageId)}::uuid[]
      ) as x(id, message_id)
      where s.id = x.id and s.state <> 'sent'
      returning s.id, s.user_id
    ), owners as (
      select user_id, json_agg(id) as ids from changed group by user_id
    )
    select ${notifyInStatement(sql, "scheduled_changed", sql`'user_id', user_id, 'ids', ids`)}
    from owners`;
}

/**
 * Notes why messages could not be sent, and notifies their authors. Each text becomes the author's
 * draft there, unless another draft exists.
 */
export async function markFailed(
  sql: SqlClient,
  failed: { id: string; code: Code }[],
): Promise<void> {
  if (failed.length === 0) return;
  const fields = sql`'user_id', user_id, 'ids', ids`;
  const failure = sql`'user_id', user_id, 'id', id, 'code', reason`;
  const draft = sql`'user_id', user_id, 'room_id', room_id, 'thread_id', nullif(thread_id, ${NO_THREAD}::uuid)`;
  const queued = insertJobsText(
    "push_self",
    `select job_id, jsonb_build_object('userId', user_id, 'type', 'scheduled_failed', 'id', id)
      from changed where not is_bot`,
  );
  await sql`
    with changed as (
      update scheduled_messages s set state = 'failed', reason = x.code, sending_at = null,
        ended_at = clock_timestamp()
      from unnest(
        ${failed.map(({ id }) => id)}::uuid[], ${failed.map(({ code }) => code)}::text[],
        ${failed.map(() => Bun.randomUUIDv7())}::uuid[]
      ) as x(id, code, job_id), users u
      where s.id = x.id and s.state = 'waiting' and u.id = s.user_id
      returning s.*, x.job_id, u.is_bot
    ), restored as (
      insert into drafts as d
        (user_id, room_id, thread_id, content, quote_id, image_id, file_id, client_id, version)
      select distinct on (user_id, room_id, place)
        user_id, room_id, place, content, quote_id, image_id, file_id, id, 1
      from (select *, coalesce(thread_id, ${NO_THREAD}::uuid) as place from changed) c
      where not is_bot order by user_id, room_id, place, send_at, id
      on conflict (user_id, room_id, thread_id) do update set content = excluded.content,
        quote_id = excluded.quote_id, image_id = excluded.image_id, file_id = excluded.file_id,
        client_id = excluded.client_id, version = d.version + 1, device = null,
        updated_at = clock_timestamp()
      where num_nonnulls(d.content, d.quote_id, d.image_id, d.file_id) = 0
      returning user_id, room_id, thread_id
    ), queued as (${sql.unsafe(queued)}), owners as (
      select user_id, json_agg(id) as ids from changed group by user_id
    )
    select ${notifyInStatement(sql, "scheduled_changed", fields)} from owners
    union all select ${notifyInStatement(sql, "scheduled_failed", failure)} from changed
    union all select ${notifyInStatement(sql, "draft_changed", draft)} from restored
    union all select * from queued`;
}

/** Shards with messages that were due some minutes ago: their job may have failed for good. */
export function findOverdueShards(sql: SqlClient, minutes: number) {
  return sql<{ shard: number }[]>`
    select distinct ${sql.unsafe(ROOM_SHARD)} as shard from scheduled_messages
    where state = 'waiting' and send_at < clock_timestamp() - ${minutes} * interval '1 minute'`;
}

/**
 * Deletes a batch of messages that were sent more than a day ago, and of those that failed very
 * long ago.
 */
export async function deleteOldScheduled(
  sql: SqlClient,
  { failedDays, limit }: { failedDays: number; limit: number },
): Promise<number> {
  const { count } = await sql`
    delete from scheduled_messages where id = any(array(
      select id from scheduled_messages
      where state = 'sent' and ended_at < clock_timestamp() - interval '1 day'
        or state = 'failed' and ended_at < clock_timestamp() - ${failedDays} * interval '1 day'
      limit ${limit}))`;
  return count;
}
