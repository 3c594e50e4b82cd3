/** Tokens that fill up a bucket, and how many it holds. */
type Rate = { perSecond: number; burst: number };
/** The tokens that are left, and when the bucket was last filled, in ms. */
export type TokenBucket = { tokens: number; at: number };

/** A full bucket. @param now in milliseconds since 1970 */
export function createBucket({ burst }: Rate, now = Date.now()): TokenBucket {
  return { tokens: burst, at: now };
}

/** Takes a token; false if none is left. */
export function takeToken(bucket: TokenBucket, rate: Rate, now = Date.now()): boolean {
  const filled = bucket.tokens + ((now - bucket.at) / 1_000) * rate.perSecond;
  bucket.tokens = Math.min(rate.burst, filled);
  bucket.at = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
