import type { Database } from "../database/connect.ts";
import { insertJobs } from "../jobs-queue/statements.ts";
import { deleteOldDrafts } from "./draft-statements.ts";
import { sweepHiddenSaved } from "./saved-statements.ts";
import { sendKey } from "./scheduled.ts";
import { deleteOldScheduled, findOverdueShards } from "./scheduled-statements.ts";

const BATCH = 1_000;
/** What nobody has gone on with for so long is deleted: drafts, and scheduled messages that failed. */
const DRAFT_DAYS = 180;
/** For so long a device that was offline learns that a draft was sent or cleared. */
const TOMBSTONE_DAYS = 30;
/** What its owner cannot read for so long is not saved any more. */
const HIDDEN_DAYS = 90;

/** What was due longer ago than this, and waits, has no job any more. */
const OVERDUE_MINUTES = 10;

/**
 * Deletes what is old of what people keep, and notes what they cannot read any more. Messages whose
 * job has failed for good get another one.
 */
export async function pruneKept(
  { sql }: Pick<Database, "sql">,
  signal: AbortSignal,
): Promise<void> {
  const drafts = { draftDays: DRAFT_DAYS, tombstoneDays: TOMBSTONE_DAYS, limit: BATCH };
  while (!signal.aborted && (await deleteOldDrafts(sql, drafts)) === BATCH);
  const scheduled = { failedDays: DRAFT_DAYS, limit: BATCH };
  while (!signal.aborted && (await deleteOldScheduled(sql, scheduled)) === BATCH);
  if (!signal.aborted) await sweepHiddenSaved(sql, HIDDEN_DAYS);
  // One with the key of a job that waits or runs is not queued.
  const overdue = await findOverdueShards(sql, OVERDUE_MINUTES);
  const jobs = overdue.map(({ shard }) => ({ payload: { shard }, key: sendKey(shard) }));
  await insertJobs(sql, "send_scheduled", jobs);
}
