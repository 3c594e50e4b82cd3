import { type Clock as Timer, timer } from "../../../src/snug-client/connection.ts";

/** Time, passed in so that tests need not wait for it. */
export type Clock = Timer & { now(): number };

export const realClock: Clock = { ...timer, now: () => Date.now() };

/** @throws the reason of `signal` as soon as it is aborted */
export function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  signal.addEventListener("abort", () => {
    cancel();
    reject(signal.reason);
  });
  return promise;
}

/** How long anything waits for the browser's storage, which may never respond. */
export const STORAGE_WAIT_MS = 500;

/**
 * Waits for the browser's storage, but not longer than a limit. The work continues.
 * @returns what `work` returns; `fallback` if it throws or takes longer
 */
export function limitWait<T, F>(
  work: () => Promise<T>,
  fallback: F,
  limitMs = STORAGE_WAIT_MS,
  clock: Timer = timer,
): Promise<T | F> {
  const { promise, resolve } = Promise.withResolvers<F>();
  const cancel = clock.after(limitMs, () => resolve(fallback));
  const done = (async () => work())().catch(() => fallback);
  return Promise.race([done, promise]).finally(cancel);
}
