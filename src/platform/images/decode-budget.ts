import { FairSemaphore } from "../concurrency/semaphore.ts";
import { Refusal } from "../refusal.ts";

/** Memory for all images being decoded by this process, which is also the limit for one image. */
export const MAX_DECODE_BYTES = 512 * 1_024 ** 2;
const UNIT_BYTES = 1_024 ** 2;
/** The minimum reservation, so that at most four images are decoded concurrently. */
const MIN_SHARE = MAX_DECODE_BYTES / 4;
const WAIT_MS = 20_000;
/** Calls beyond this queue length are rejected. */
const MAX_WAITING = 64;
const RETRY_SECONDS = 5;

const budget = new FairSemaphore({
  permits: MAX_DECODE_BYTES / UNIT_BYTES,
  maxWaiting: MAX_WAITING,
  waitMs: WAIT_MS,
  busyError: makeBusyRefusal,
});

/**
 * Runs a decoder once enough memory is available, in the order of the calls.
 * @param bytes the estimated memory, up to `MAX_DECODE_BYTES`
 * @throws Refusal `unavailable` after 20 seconds, or immediately if too many calls are waiting; errors
 * of `work`
 */
export function reserveDecodeBytes<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  const weight = Math.ceil(Math.min(Math.max(bytes, MIN_SHARE), MAX_DECODE_BYTES) / UNIT_BYTES);
  return budget.run([], work, weight);
}

function makeBusyRefusal(): Refusal {
  const detail = "Too many images are being read. Try again in a moment.";
  return new Refusal("unavailable", detail, { retryAfter: RETRY_SECONDS });
}
