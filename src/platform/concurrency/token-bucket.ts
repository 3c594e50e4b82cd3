type Rate = { perSecond: number; burst: number };
/** The remaining tokens, and when they were last refilled, in milliseconds. */
export type TokenBucket = { tokens: number; at: number };

/** Creates a full bucket. @param now in milliseconds since 1970 */
export function createBucket({ burst }: Rate, now = Date.now()): TokenBucket {
  return { tokens: burst, at: now };
}

export function takeToken(bucket: TokenBucket, rate: Rate, now = Date.now()): boolean {
  fill(bucket, rate, now);
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

/** Takes tokens, or fractions, for work that is already done: the bucket may go negative. */
export function chargeTokens(bucket: TokenBucket, rate: Rate, count: number, now = Date.now()) {
  fill(bucket, rate, now);
  bucket.tokens -= count;
}

/** Time until a token is available, in whole seconds. */
export function secondsToToken({ tokens }: TokenBucket, { perSecond }: Rate): number {
  return Math.max(1, Math.ceil((1 - tokens) / perSecond));
}

function fill(bucket: TokenBucket, { perSecond, burst }: Rate, now: number): void {
  const tokens = bucket.tokens + ((now - bucket.at) / 1_000) * perSecond;
  bucket.tokens = Math.min(burst, tokens);
  bucket.at = now;
}
