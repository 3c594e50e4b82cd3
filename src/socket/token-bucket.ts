import { FRAME_BURST, FRAMES_PER_SECOND } from "../wire/limits.ts";

/** The tokens that are left, and when the bucket was last filled, in ms. */
export type TokenBucket = { tokens: number; at: number };

export function createBucket(now = Date.now()): TokenBucket {
  return { tokens: FRAME_BURST, at: now };
}

/** Takes a token; false if none is left. */
export function takeToken(bucket: TokenBucket, now = Date.now()): boolean {
  const filled = bucket.tokens + ((now - bucket.at) / 1_000) * FRAMES_PER_SECOND;
  bucket.tokens = Math.min(FRAME_BURST, filled);
  bucket.at = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
