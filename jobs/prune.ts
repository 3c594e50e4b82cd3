import {
  deleteExpiredResets,
  deleteExpiredSessions,
  deleteExpiredSignIns,
} from "../src/accounts/expired.ts";
import type { Database, Drizzle, SqlClient } from "../src/database/connect.ts";
import { findOldLogs, pruneLog } from "../src/feed/prune-statements.ts";
import { deleteExpiredInvites } from "../src/invites/invites.ts";
import { deleteOldFailedJobs } from "../src/jobs-queue/failed.ts";
import { pruneFollows } from "../src/messages/threads/follow-statements.ts";
import { SMALLEST_ID } from "../src/platform/cursor.ts";
import type { Storage } from "../src/platform/storage/storage.ts";
import { prunePreviewsAfter } from "../src/previews/prune-statements.ts";
import { deleteExpiredRateLimits } from "../src/rate-limits/rate-limits.ts";
import { sweepBlobs } from "../src/uploads/remove.ts";
import { deleteUnusedUploads } from "../src/uploads/unused.ts";
import {
  deleteOldDeliveries,
  findSurplusDeliveries,
  pruneDeliveriesUpTo,
} from "../src/webhooks/outgoing/statements.ts";

/** Rows that one statement deletes, so that no statement takes long. */
const BATCH = 1_000;
const LOG_BATCH = 5_000;

/** Deletes entries of rooms' logs that are past their age, from the beginning of each log. */
export async function pruneLogs(sql: SqlClient, signal: AbortSignal): Promise<void> {
  for (const { id } of await findOldLogs(sql)) {
    for (let seq: number | null = 0; seq !== null && !signal.aborted;) {
      seq = await pruneLog(sql, id, seq, LOG_BATCH);
    }
  }
}

/** Deletes old deliveries of webhooks, and all but the newest of a busy webhook. */
export async function pruneDeliveries(sql: SqlClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldDeliveries(sql, BATCH)) === BATCH);
  for (const { hook_id, id } of await findSurplusDeliveries(sql)) {
    while (!signal.aborted && (await pruneDeliveriesUpTo(sql, hook_id, id, BATCH)) === BATCH);
  }
}

/** Deletes what people follow of threads that have been silent for long. */
export async function pruneThreadFollows(sql: SqlClient, signal: AbortSignal): Promise<void> {
  for (let after: string | null = SMALLEST_ID; after !== null && !signal.aborted;) {
    after = await pruneFollows(sql, after, BATCH);
  }
}

/** Deletes expired previews that no message shows. */
export async function prunePreviews(sql: SqlClient, signal: AbortSignal): Promise<void> {
  for (let after: string | null = ""; after !== null && !signal.aborted;) {
    after = await prunePreviewsAfter(sql, after, BATCH);
  }
}

/**
 * Deletes uploads that no message uses, then the bytes that nothing refers to: theirs, and those of
 * deleted rooms.
 */
export async function deleteUnused(
  database: Database,
  storage: Storage,
  signal: AbortSignal,
): Promise<void> {
  await deleteUnusedUploads(database.db);
  await sweepBlobs(database.db, storage, signal);
}

/** Deletes what has expired in tables that stay small. */
export async function sweepExpired(db: Drizzle): Promise<void> {
  await deleteExpiredSessions(db);
  await deleteExpiredSignIns(db);
  await deleteExpiredInvites(db);
  await deleteExpiredResets(db);
  await deleteExpiredRateLimits(db);
  await deleteOldFailedJobs(db);
}
