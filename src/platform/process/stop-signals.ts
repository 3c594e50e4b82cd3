const SIGNALS = ["SIGTERM", "SIGINT"] as const;

type StopSignals = {
  /** Aborted by the first signal; the reason is a `StoppedError`. */
  signal: AbortSignal;
  /** Restores the default behaviour: a signal ends the process immediately. */
  release(): void;
};

/** Thrown by work that ends early because the process was asked to stop. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";

  constructor(readonly by: string) {
    super(`Stopped by ${by}.`);
  }
}

/**
 * Catches SIGTERM and SIGINT, so that a process can first stop its child processes. Call it before
 * starting any.
 */
export function catchStopSignals(): StopSignals {
  const controller = new AbortController();
  const stop = (signal: string) => controller.abort(new StoppedError(signal));
  for (const signal of SIGNALS) process.on(signal, stop);
  return {
    signal: controller.signal,
    release() {
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}

export function waitForStop(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Waits for work until the process is asked to stop; its result after that is ignored.
 * @throws StoppedError, or errors of the work
 */
export async function waitUnlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {});
  await Promise.race([work, waitForStop(signal)]);
  signal.throwIfAborted();
  return work;
}
