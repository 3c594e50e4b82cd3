import { FairSemaphore } from "../platform/concurrency/semaphore.ts";
import { Refusal } from "../platform/refusal.ts";

const MAX_CONCURRENT = 16;
const RETRY_SECONDS = 5;

const uploads = new FairSemaphore({
  maxPerKey: MAX_CONCURRENT,
  maxWaiting: 0,
  busyError() {
    const detail = `${MAX_CONCURRENT} of your uploads are in progress. Wait for one to finish.`;
    return new Refusal("rate_limited", detail, { retryAfter: RETRY_SECONDS });
  },
});

/** @throws Refusal `rate_limited` beyond 16 in this process; what `work` throws */
export function withUploadSlot<T>(userId: string, work: () => Promise<T>): Promise<T> {
  return uploads.run([userId], work);
}
