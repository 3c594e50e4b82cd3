import { and, asc, eq, sql } from "drizzle-orm";
import type { Database, Drizzle, SqlClient } from "../database/connect.ts";
import { NO_THREAD, ROOM_SHARD, scheduledMessages } from "../database/schema.ts";
import { clearRestoredDraft } from "../drafts/drafts.ts";
import type { JobContext } from "../jobs-queue/job.ts";
import { notifyInStatement } from "../feed/signals.ts";
import { insertJobsText, rescheduleJob } from "../jobs-queue/enqueue.ts";
import { lockCredential } from "../authentication/credentials.ts";
import type { Author } from "../messages/new-message.ts";
import type { Poster } from "../messages/post.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import type { Code } from "../wire/codes.ts";
import { MAX_LATE_HOURS } from "../wire/limits.ts";
import type { Message } from "../wire/models.ts";
import type { PostMessage } from "../wire/requests.ts";
import { lockScheduledMessage, setSendJob, toBody } from "./scheduled-messages.ts";

/** Maximum number of messages posted together. The messages of a room keep their order. */
const BATCH = 500;
/** If the process dies while it sends a failed message on request, the shard's job sends it after this time. */
const SEND_NOW_SECONDS = 60;
/** Refusals that are independent of the message, after which the job is retried. */
const RETRYABLE: readonly Code[] = ["unavailable", "internal", "rate_limited", "storage_full"];

/**
 * Posts the due messages of one shard of the rooms, ordered by time. At most one job per shard, and so
 * per room, runs at a time. Each message's own id is its `client_id`, so that it is posted only once
 * even if a process dies.
 * @throws the error of messages that could not be posted, so that the job is retried
 */
export async function sendDue(
  { db, sql: client }: Database,
  poster: Poster,
  shard: number,
  { id, attempt, signal, stopping }: JobContext,
): Promise<void> {
  // When this process stops, another one sends the rest immediately.
  while (!stopping.aborted) {
    const rows = await claimDue(client, shard);
    if (rows.length === 0) break;
    const late = rows.filter((row) => row.is_too_late);
    await markMessageFailed(
      client,
      late.map((row) => ({ id: row.id, code: "too_late" })),
    );
    await sendMessages(
      client,
      poster,
      rows.filter((row) => !row.is_too_late),
    );
    signal.throwIfAborted();
  }
  await db.transaction((tx) => rescheduleJob(tx, { id, attempt }, () => readNextDue(tx, shard)));
}

type DueRow = {
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
  /** Whether the message is too old to be sent. False if a process has already started to send it. */
  is_too_late: boolean;
};

/**
 * Claims the first due messages of a shard, so that they cannot be changed while they are sent.
 * @returns the messages ordered by time
 */
function claimDue(client: SqlClient, shard: number): Promise<DueRow[]> {
  return client<DueRow[]>`
    with due as materialized (
      select id, sending_at is null and send_at < clock_timestamp() - ${MAX_LATE_HOURS} * interval '1 hour'
        as is_too_late
      from scheduled_messages
      where ${client.unsafe(ROOM_SHARD)} = ${shard}::int and state = 'waiting' and send_at <= statement_timestamp()
      order by send_at, id limit ${BATCH} for update
    ), claimed as (
      update scheduled_messages s set sending_at = coalesce(s.sending_at, clock_timestamp())
      from due where s.id = due.id and not due.is_too_late
    )
    select s.id, s.user_id, s.room_id, s.thread_id, s.quote_id, s.content, s.image_id, s.image_alt,
      s.file_id, s.group_id, s.token_id, due.is_too_late
    from due join scheduled_messages s on s.id = due.id
    order by s.send_at, s.id`;
}

/**
 * Records why messages could not be sent, and notifies their authors. The text becomes the author's
 * draft in that room or thread, unless another draft exists.
 */
async function markMessageFailed(
  client: SqlClient,
  failures: { id: string; code: Code }[],
): Promise<void> {
  if (failures.length === 0) return;
  const fields = client`'user_id', user_id, 'ids', ids`;
  const failure = client`'user_id', user_id, 'id', id, 'code', reason`;
  const draft = client`'user_id', user_id, 'room_id', room_id, 'thread_id', nullif(thread_id, ${NO_THREAD}::uuid)`;
  const insertPushJobs = insertJobsText(
    "push_self",
    `select job_id, jsonb_build_object('userId', user_id, 'type', 'scheduled_failed', 'id', id)
      from changed where not is_bot`,
  );
  await client`
    with changed as (
      update scheduled_messages s set state = 'failed', reason = x.code, sending_at = null,
        ended_at = clock_timestamp()
      from unnest(
        ${failures.map(({ id }) => id)}::uuid[], ${failures.map(({ code }) => code)}::text[],
        ${failures.map(() => Bun.randomUUIDv7())}::uuid[]
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
    ), queued as (${client.unsafe(insertPushJobs)}), owners as (
      select user_id, json_agg(id) as ids from changed group by user_id
    )
    select ${notifyInStatement(client, "scheduled_changed", fields)} from owners
    union all select ${notifyInStatement(client, "scheduled_failed", failure)} from changed
    union all select ${notifyInStatement(client, "draft_changed", draft)} from restored
    union all select * from queued`;
}

async function sendMessages(client: SqlClient, poster: Poster, rows: DueRow[]): Promise<void> {
  // Posted concurrently: a room's messages keep their order, and one statement writes many of them.
  const results = await Promise.allSettled(rows.map((row) => postDue(poster, row)));
  const failures: { id: string; code: Code }[] = [];
  const errors: unknown[] = [];
  for (const [i, { id }] of rows.entries()) {
    const result = results[i] as PromiseSettledResult<Message>;
    if (result.status === "fulfilled") continue;
    const code = codeOf(result.reason);
    if (code) failures.push({ id, code });
    else errors.push(result.reason);
  }
  await markMessageFailed(client, failures);
  if (errors.length > 0) throw errors[0];
}

/**
 * Applies the author's current permissions and those of a bot's token. A session may have expired;
 * revoking it blocks its scheduled messages (`blockScheduledMessages`), which are then not posted.
 */
async function postDue(poster: Poster, row: DueRow): Promise<Message> {
  const { id, user_id, room_id, token_id, is_too_late: _, ...body } = row;
  const token = token_id === null ? null : { id: token_id };
  const author: Author = { id: user_id, sessionId: null, token, scheduledId: id };
  return post(poster, author, room_id, { ...body, client_id: id });
}

/** Posts a message, without its quote if the quoted message was deleted. */
async function post(
  poster: Poster,
  author: Author,
  roomId: string,
  body: PostMessage,
): Promise<Message> {
  try {
    return (await poster.post(author, roomId, { ...body, clears_draft: true })).message;
  } catch (error) {
    if (!body.quote_id || !(error instanceof Refusal) || error.code !== "unknown_quote")
      throw error;
    return post(poster, author, roomId, { ...body, quote_id: null });
  }
}

/** The refusal code to show to the author; null if a retry may succeed. */
function codeOf(error: unknown): Code | null {
  if (!(error instanceof Refusal) || RETRYABLE.includes(error.code)) return null;
  // The author was in the room, so `not_a_member` reveals nothing.
  if (error.code === "room_not_found") return "not_a_member";
  return error.code === "unauthenticated" ? "deactivated" : error.code;
}

async function readNextDue(tx: Pick<Drizzle, "select">, shard: number): Promise<Date | null> {
  const { sendAt, state } = scheduledMessages;
  const [next] = await tx
    .select({ sendAt })
    .from(scheduledMessages)
    .where(and(sql`${sql.raw(ROOM_SHARD)} = ${shard}::int`, eq(state, "waiting")))
    .orderBy(asc(sendAt))
    .limit(1);
  return next?.sendAt ?? null;
}

/**
 * Sends the actor's scheduled message immediately, even a failed one. If it is refused, its state does
 * not change.
 * @throws Refusal `scheduled_not_found`, `already_sent` and those of a post
 */
export async function sendNow(
  { db }: Database,
  poster: Poster,
  actor: Actor,
  id: string,
): Promise<Message> {
  const isThis = eq(scheduledMessages.id, id);
  const row = await db.transaction(async (tx) => {
    const credential = await lockCredential(tx, actor);
    const row = await lockScheduledMessage(tx, actor.id, id);
    const claim = { state: "waiting", reason: null, endedAt: null, sendingAt: new Date() } as const;
    await tx
      .update(scheduledMessages)
      .set({ ...claim, ...credential })
      .where(isThis);
    await setSendJob(tx, row.roomId, new Date(Date.now() + SEND_NOW_SECONDS * 1_000));
    return row;
  });
  try {
    const author = { ...actor, scheduledId: id };
    const message = await post(poster, author, row.roomId, { ...toBody(row), client_id: id });
    await db.transaction((tx) => clearRestoredDraft(tx, row));
    return message;
  } catch (error) {
    const { state, reason, endedAt } = row;
    await db
      .update(scheduledMessages)
      .set({ state, reason, endedAt, sendingAt: null })
      .where(and(isThis, eq(scheduledMessages.state, "waiting")));
    if (error instanceof Refusal && error.code === "room_not_found") {
      throw new Refusal("not_a_member", "You are no longer in this room. Choose another one.");
    }
    throw error;
  }
}
