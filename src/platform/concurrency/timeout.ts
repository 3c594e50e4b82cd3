/**
 * Waits for work that cannot be aborted, until it is done or the signal is aborted. The work itself continues.
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
 * Creates a signal that is aborted with an error after a timeout.
 * @param signal aborts it earlier, with its own reason
 */
export function createTimeout(ms: number, error: () => Error, signal?: AbortSignal): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(error()), ms).unref();
  return signal ? AbortSignal.any([signal, late.signal]) : late.signal;
}

/**
 * Creates a function that waits for consecutive pieces of work, with one time limit for all of them.
 * Work that exceeds it continues.
 * @throws the error after the time limit; errors of the work before it
 */
export function createDeadline(
  ms: number,
  error: () => Error,
): <T>(work: Promise<T>) => Promise<T> {
  let remainingMs = ms;
  return async (work) => {
    const startedAt = performance.now();
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(error()), remainingMs);
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
      remainingMs -= performance.now() - startedAt;
    }
  };
}

/** Waits for work, up to a timeout. @throws errors of the work within that time */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
