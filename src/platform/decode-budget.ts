import { Semaphore, withTimeout } from "async-mutex";
import { Refusal } from "./refusal.ts";

/** Memory of all decoded images in this process, and of one. */
export const MAX_DECODE_BYTES = 512 * 1_024 ** 2;
const UNIT_BYTES = 1_024 ** 2;
/** The least that is reserved, so at most four images are decoded at once, however small they are. */
const MIN_SHARE = MAX_DECODE_BYTES / 4;
const WAIT_MS = 20_000;
/** Past these a call is refused at once. */
const MAX_WAITING = 64;
const RETRY_SECONDS = 5;

const budget = withTimeout(new Semaphore(MAX_DECODE_BYTES / UNIT_BYTES), WAIT_MS, busy());
let waiting = 0;

/**
 * Runs a decoder when the memory for it is free, in the order of the calls.
 * @param bytes an estimate, up to `MAX_DECODE_BYTES`
 * @throws Refusal `unavailable` after 20 seconds, or at once if many wait; what `work` throws
 */
export async function reserveDecodeBytes<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  const weight = Math.ceil(Math.min(Math.max(bytes, MIN_SHARE), MAX_DECODE_BYTES) / UNIT_BYTES);
  if (waiting >= MAX_WAITING) throw busy();
  waiting++;
  const [, release] = await budget.acquire(weight).finally(() => waiting--);
  try {
    return await work();
  } finally {
    release();
  }
}

function busy(): Refusal {
  const detail = "Too many images are being read. Try again in a moment.";
  return new Refusal("unavailable", detail, { retryAfter: RETRY_SECONDS });
}
