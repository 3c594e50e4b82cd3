import type { SqlClient } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { formatSize } from "../wire/sizes.ts";

/** Uploads that no message uses, of one person: the hourly job deletes them after 24 hours. */
const MAX_UNUSED = 200;
/** All of them together, in files of the largest size that is allowed. */
const MAX_UNUSED_FILES = 20;
const MAX_CONCURRENT = 16;
const RETRY_SECONDS = 5;

const running = new Map<string, number>();

/**
 * Runs one of the few uploads that a person may have under way in this process.
 * @throws Refusal `rate_limited` past 16; what `work` throws
 */
export async function withUploadSlot<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const count = running.get(userId) ?? 0;
  if (count >= MAX_CONCURRENT) {
    const detail = `${MAX_CONCURRENT} of your uploads are under way. Wait for one to finish.`;
    throw new Refusal("rate_limited", detail, { retryAfter: RETRY_SECONDS });
  }
  running.set(userId, count + 1);
  try {
    return await work();
  } finally {
    const left = (running.get(userId) ?? 1) - 1;
    if (left > 0) running.set(userId, left);
    else running.delete(userId);
  }
}

/**
 * Checks that a person holds few unused uploads, so that nobody fills the disk with them.
 * @param maxBytes of one upload
 * @throws Refusal `too_many_uploads`
 */
export async function checkUnusedUploads(
  sql: SqlClient,
  userId: string,
  maxBytes: number,
): Promise<void> {
  const [unused] = await sql<{ count: number; bytes: number }[]>`
    select count(*) as count, coalesce(sum(size_bytes), 0)::int8 as bytes from (
      select size_bytes from message_images i where uploader_id = ${userId}
        and created_at > clock_timestamp() - interval '26 hours'
        and not exists (select from messages where image_id = i.id)
      union all
      select size_bytes from message_files f where uploader_id = ${userId}
        and created_at > clock_timestamp() - interval '26 hours'
        and not exists (select from messages where file_id = f.id)
    ) as uploads`;
  if (!unused) return;
  const most = maxBytes * MAX_UNUSED_FILES;
  if (unused.count < MAX_UNUSED && unused.bytes < most) return;
  const held = `${unused.count} uploads (${formatSize(unused.bytes)}) that no message uses`;
  const detail = `You hold ${held}. Post them, or wait a day until they are deleted.`;
  throw new Refusal("too_many_uploads", detail);
}
