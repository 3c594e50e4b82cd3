/**
 * Waits for work that cannot be aborted, until a signal is; the work goes on.
 * @throws the reason of `signal` as soon as it is aborted
 */
export function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", onAbort));
}

/**
 * Creates a signal that is aborted with this error after a timeout, or with another signal.
 * @param signal aborts earlier, with its own reason
 */
export function createTimeout(ms: number, error: () => Error, signal?: AbortSignal): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(error()), ms).unref();
  return signal ? AbortSignal.any([signal, late.signal]) : late.signal;
}

/**
 * Creates a function that waits for one piece of work after the other, for a limited time in all. Work that is
 * cut off goes on.
 * @throws the error once the time is over; what the work throws before that
 */
export function createDeadline(
  ms: number,
  error: () => Error,
): <T>(work: Promise<T>) => Promise<T> {
  let left = ms;
  return async (work) => {
    const started = performance.now();
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(error()), left);
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
      left -= performance.now() - started;
    }
  };
}

/** Waits for work, but no longer than a timeout. Throws what the work throws in that time. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
