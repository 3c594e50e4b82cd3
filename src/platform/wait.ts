/**
 * Waits for work that cannot be stopped, but can be left behind.
 * @throws the reason of `signal` as soon as it is aborted
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", onAbort));
}

/**
 * A signal that is aborted after so long with the error given, or with another signal.
 * @param signal aborts earlier, with its own reason
 */
export function createTimeout(ms: number, error: () => Error, signal?: AbortSignal): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(error()), ms).unref();
  return signal ? AbortSignal.any([signal, late.signal]) : late.signal;
}

/** Waits for the work, or for so long; what the work throws in that time is thrown. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
