import { Refusal } from "../platform/refusal.ts";

const MAX_CONCURRENT = 16;
const RETRY_SECONDS = 5;

const running = new Map<string, number>();

/**
 * Runs one of the few uploads that a person may have in progress in this process.
 * @throws Refusal `rate_limited` past 16; what `work` throws
 */
export async function withUploadSlot<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const count = running.get(userId) ?? 0;
  if (count >= MAX_CONCURRENT) {
    const detail = `${MAX_CONCURRENT} of your uploads are in progress. Wait for one to finish.`;
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
