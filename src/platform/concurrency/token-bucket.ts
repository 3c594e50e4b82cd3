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
  fill(bucket, rate, now);
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

/** Takes tokens, or parts of one, for what is done already: a bucket may owe some. */
export function chargeTokens(bucket: TokenBucket, rate: Rate, count: number, now = Date.now()) {
  fill(bucket, rate, now);
  bucket.tokens -= count;
}

/** When there is a token again, in whole seconds. */
export function secondsToToken({ tokens }: TokenBucket, { perSecond }: Rate): number {
  return Math.max(1, Math.ceil((1 - tokens) / perSecond));
}

function fill(bucket: TokenBucket, { perSecond, burst }: Rate, now: number): void {
  const filled = bucket.tokens + ((now - bucket.at) / 1_000) * perSecond;
  bucket.tokens = Math.min(burst, filled);
  bucket.at = now;
}
