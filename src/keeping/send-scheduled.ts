import { and, asc, eq, sql } from "drizzle-orm";
import type { Database, Drizzle, SqlClient } from "../database/connect.ts";
import { ROOM_SHARD, scheduledMessages } from "../database/schema.ts";
import type { JobContext } from "../jobs-queue/job.ts";
import { rescheduleJob } from "../jobs-queue/timed.ts";
import { lockCredential } from "../accounts/lock-user.ts";
import type { Author } from "../messages/draft.ts";
import type { Poster } from "../messages/post.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import type { Code } from "../wire/codes.ts";
import { MAX_LATE_HOURS } from "../wire/limits.ts";
import type { Message } from "../wire/models.ts";
import type { PostMessage } from "../wire/requests.ts";
import { setSendJob, toBody } from "./scheduled-parts.ts";
import { clearCopy, lockScheduled } from "./scheduled.ts";
import { claimDue, type DueRow, markFailed, markSent } from "./scheduled-statements.ts";

/** Messages that are posted together, those of a room in their order. */
const BATCH = 500;
/** If the process dies while it sends a message that had failed, the shard's job sends it. */
const SEND_NOW_SECONDS = 60;
/** Refusals that have nothing to do with the message: the job is retried. */
const RETRIED: readonly Code[] = ["unavailable", "internal", "rate_limited", "storage_full"];

/**
 * Posts the due messages of a shard of the rooms, in the order of their times. One job of a shard,
 * and so of a room, runs at a time. Each message is posted with its own id as `client_id`, so that
 * it is posted once even if a process dies.
 * @throws the error of messages that could not be posted, for a retry
 */
export async function sendDue(
  { db, sql: client }: Database,
  poster: Poster,
  shard: number,
  { id, attempt, signal, stopping }: JobContext,
): Promise<void> {
  // When the process stops, another one sends the rest at once.
  while (!stopping.aborted) {
    const due = await claimDue(client, shard, { limit: BATCH, maxHours: MAX_LATE_HOURS });
    if (due.length === 0) break;
    const late = due.filter((row) => row.is_too_late);
    await markFailed(
      client,
      late.map((row) => ({ id: row.id, code: "too_late" })),
    );
    await sendAll(
      client,
      poster,
      due.filter((row) => !row.is_too_late),
    );
    signal.throwIfAborted();
  }
  await db.transaction((tx) => rescheduleJob(tx, { id, attempt }, () => readNextDue(tx, shard)));
}

async function sendAll(client: SqlClient, poster: Poster, rows: DueRow[]): Promise<void> {
  // All at once: those of a room keep their order, and many are written with one statement.
  const posted = await Promise.allSettled(rows.map((row) => postDue(poster, row)));
  const sent: { id: string; messageId: string }[] = [];
  const failed: { id: string; code: Code }[] = [];
  const errors: unknown[] = [];
  for (const [i, { id }] of rows.entries()) {
    const result = posted[i] as PromiseSettledResult<string>;
    if (result.status === "fulfilled") sent.push({ id, messageId: result.value });
    else {
      const code = codeOf(result.reason);
      if (code) failed.push({ id, code });
      else errors.push(result.reason);
    }
  }
  await markSent(client, sent);
  await markFailed(client, failed);
  if (errors.length > 0) throw errors[0];
}

/**
 * The author's current rights count, and those of a bot's token. A session may have expired;
 * ending it blocks what was scheduled with it (`blockScheduled`).
 */
async function postDue(poster: Poster, row: DueRow): Promise<string> {
  const { id, user_id, room_id, content, image_id, image_alt, file_id, group_id, token_id } = row;
  const token = token_id === null ? null : { id: token_id };
  const author: Author = { id: user_id, sessionId: null, token };
  const { thread_id, quote_id } = row;
  const parts = { content, image_id, image_alt, file_id, group_id, thread_id, quote_id };
  return (await post(poster, author, room_id, { ...parts, client_id: id })).id;
}

/** Posts it without its quote where what it quotes was deleted. */
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

/** Why a message was refused, for its author; null where it may go out later. */
function codeOf(error: unknown): Code | null {
  if (!(error instanceof Refusal) || RETRIED.includes(error.code)) return null;
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
 * Sends a scheduled message of the actor at once, even one that has failed. If it is refused it
 * stays as it was.
 * @throws Refusal `scheduled_not_found`, `already_sent` and those of a post
 */
export async function sendNow(
  { db, sql: client }: Database,
  poster: Poster,
  actor: Actor,
  id: string,
): Promise<Message> {
  const isThis = eq(scheduledMessages.id, id);
  const row = await db.transaction(async (tx) => {
    const credential = await lockCredential(tx, actor);
    const known = await lockScheduled(tx, actor.id, id);
    const claim = { state: "waiting", reason: null, endedAt: null, sendingAt: new Date() } as const;
    await tx
      .update(scheduledMessages)
      .set({ ...claim, ...credential })
      .where(isThis);
    await setSendJob(tx, known.roomId, new Date(Date.now() + SEND_NOW_SECONDS * 1_000));
    return known;
  });
  try {
    const message = await post(poster, actor, row.roomId, { ...toBody(row), client_id: id });
    await markSent(client, [{ id, messageId: message.id }]);
    await db.transaction((tx) => clearCopy(tx, row));
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
