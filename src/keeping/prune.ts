import type { Database } from "../database/connect.ts";
import { insertJobs } from "../jobs-queue/statements.ts";
import { deleteOldDrafts } from "./draft-statements.ts";
import { sweepHiddenSaved } from "./saved-statements.ts";
import { sendKey } from "./scheduled-parts.ts";
import { deleteOldScheduled, findOverdueShards } from "./scheduled-statements.ts";

const BATCH = 1_000;
/**
 * Drafts, and scheduled messages that failed, are deleted when nobody has changed them for this
 * long.
 */
const DRAFT_DAYS = 180;
/** For this long a device that was offline learns that a draft was sent or cleared. */
const TOMBSTONE_DAYS = 30;
/** A saved message is deleted when its owner cannot read it for this long. */
const HIDDEN_DAYS = 90;

/** A message that still waits this long after its time has lost its job. */
const OVERDUE_MINUTES = 10;

/**
 * Deletes old drafts, scheduled messages and saved messages, and notes which saved messages their
 * owners cannot read any more. Scheduled messages whose job has failed for good get another one.
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
  // A job with the key of one that waits or runs is not queued.
  const overdue = await findOverdueShards(sql, OVERDUE_MINUTES);
  const jobs = overdue.map(({ shard }) => ({ payload: { shard }, key: sendKey(shard) }));
  await insertJobs(sql, "send_scheduled", jobs);
}
