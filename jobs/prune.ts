import { deleteExpiredResets } from "../src/sign-in/new-password.ts";
import { deleteExpiredSessions } from "../src/authentication/sessions.ts";
import { deleteExpiredChallenges } from "../src/sign-in/challenges.ts";
import { deleteExpiredLogoutTokens } from "../src/providers/backchannel.ts";
import { deleteExpiredFlows } from "../src/providers/flow.ts";
import type { Database, Drizzle, SqlClient } from "../src/database/connect.ts";
import { pruneDrafts } from "../src/drafts/drafts.ts";
import { deleteExpiredInvites } from "../src/invites/invites.ts";
import { deleteOldFailedJobs } from "../src/jobs-queue/failed.ts";
import { deleteOldIdempotencyKeys } from "../src/messages/idempotency.ts";
import type { Storage } from "../src/platform/storage/storage.ts";
import { prunePreviewsAfter } from "../src/previews/cache.ts";
import { deleteExpiredRateLimits } from "../src/rate-limits/rate-limits.ts";
import { sweepBlobs } from "../src/uploads/remove.ts";
import { pruneSavedMessages } from "../src/saved-messages/saved-messages.ts";
import { pruneScheduledMessages } from "../src/scheduled-messages/scheduled-messages.ts";
import { deleteUnusedUploads } from "../src/uploads/unused.ts";
import {
  deleteOldDeliveries,
  findSurplusDeliveries,
  pruneDeliveriesUpTo,
} from "../src/webhooks/outgoing/deliveries.ts";

/** Rows deleted per statement, to keep statements short. */
const BATCH = 1_000;

/** Deletes webhook deliveries that are old, or that exceed the number kept for their webhook. */
export async function pruneDeliveries(sql: SqlClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldDeliveries(sql, BATCH)) === BATCH);
  for (const { hook_id, id } of await findSurplusDeliveries(sql)) {
    while (!signal.aborted && (await pruneDeliveriesUpTo(sql, hook_id, id, BATCH)) === BATCH);
  }
}

/** Deletes old drafts and scheduled messages, and saved messages that their owners can no longer read. */
export async function prunePersonal(database: Database, signal: AbortSignal): Promise<void> {
  await pruneDrafts(database, signal);
  if (!signal.aborted) await pruneSavedMessages(database.sql);
  await pruneScheduledMessages(database, signal);
}

/** Deletes expired previews that no message shows. */
export async function prunePreviews(sql: SqlClient, signal: AbortSignal): Promise<void> {
  for (let after: string | null = ""; after !== null && !signal.aborted;) {
    after = await prunePreviewsAfter(sql, after, BATCH);
  }
}

/** Deletes uploads that no message uses, then unreferenced blobs, including those of deleted rooms. */
export async function pruneUploads(
  database: Database,
  storage: Storage,
  signal: AbortSignal,
): Promise<void> {
  await deleteUnusedUploads(database.db);
  await sweepBlobs(database.db, storage, signal);
}

export async function sweepExpired(db: Drizzle): Promise<void> {
  await deleteExpiredSessions(db);
  await deleteExpiredChallenges(db);
  await deleteExpiredFlows(db);
  await deleteExpiredLogoutTokens(db);
  await deleteExpiredInvites(db);
  await deleteExpiredResets(db);
  await deleteExpiredRateLimits(db);
  await deleteOldFailedJobs(db);
  await deleteOldIdempotencyKeys(db);
}
