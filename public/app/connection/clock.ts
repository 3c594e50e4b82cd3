import { type Clock as Timer, timer } from "../../../src/snug-client/connection.ts";

/** Time, passed in so that tests need not wait for it. */
export type Clock = Timer & { now(): number };

export const realClock: Clock = { ...timer, now: () => Date.now() };

/** Waits for a time of this clock. @throws the reason of `signal` as soon as it is aborted */
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
