import { checkContent } from "../messages/draft.ts";
import { makeInvalid } from "../platform/refusal.ts";
import type { scheduledMessages } from "../database/schema.ts";
import type { Scheduled, ScheduleMessage } from "../wire/keeping.ts";
import { checkTimeZone } from "../wire/quiet-hours.ts";
import { hasVisible } from "../wire/visible.ts";
import { toKeptRoom, toUploads } from "./kept-columns.ts";
import type { ScheduledRow } from "./scheduled-statements.ts";
import type { Query } from "../database/connect.ts";
import { setTimedJob } from "../jobs-queue/timed.ts";

/** A scheduled message's row. */
export type ScheduledFields = typeof scheduledMessages.$inferSelect;

/** @throws Refusal `validation` */
export function checkZone(zone: string): void {
  try {
    checkTimeZone(zone);
  } catch {
    throw makeInvalid("/zone", "There is no such time zone.");
  }
}

/** The parts of a scheduled message. */
export type Parts = Omit<ScheduleMessage, "room_id" | "send_at" | "zone" | "client_id">;

/** @throws Refusal `empty_message`, `validation` */
export function readParts(body: Parts) {
  const { image_id = null, file_id = null, image_alt } = body;
  return {
    content: checkContent(body.content, image_id !== null || file_id !== null),
    imageId: image_id,
    imageAlt: image_id && hasVisible(image_alt ?? "") ? (image_alt?.trim() ?? null) : null,
    fileId: file_id,
    groupId: body.group_id ?? null,
    threadId: body.thread_id ?? null,
    quoteId: body.quote_id ?? null,
  };
}

/** The body with which it is posted. */
export function toBody(row: ScheduledFields): Parts {
  return {
    ...{ content: row.content, image_id: row.imageId, image_alt: row.imageAlt },
    ...{ file_id: row.fileId, group_id: row.groupId },
    ...{ thread_id: row.threadId, quote_id: row.quoteId },
  };
}

/** A scheduled message as its author sees it. */
export function toScheduled(row: ScheduledRow): Scheduled {
  const { id, room_id, thread_id, quote_id, content, group_id, zone, state, reason } = row;
  return {
    ...{ id, room_id, room: toKeptRoom(row), thread_id, quote_id, content },
    ...toUploads(row, row.image_alt),
    ...{ group_id, send_at: row.send_at.toISOString(), zone, state, reason },
    ...{ message_id: row.message_id, sent_late: row.sent_late },
    ended_at: row.ended_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** One job of each shard: that of a room is the last digit of its id. */
export const sendKey = (shard: number) => `scheduled:${shard}`;

const shardOf = (roomId: string) => Number.parseInt(roomId.slice(-1), 16);

/** Queues the job that sends what is due in a room and others, or moves it to an earlier time. */
export async function setSendJob(tx: Query, roomId: string, at: Date): Promise<void> {
  const shard = shardOf(roomId);
  const job = { kind: "send_scheduled", payload: { shard }, key: sendKey(shard) } as const;
  await setTimedJob(tx, { ...job, at, keepsEarlier: true });
}
