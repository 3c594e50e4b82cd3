import { describeCause } from "../platform/cause.ts";
import { getLogger } from "../platform/log.ts";
import type { SocketDeps } from "./deps.ts";
import { sweepSockets } from "./sweep.ts";

const log = getLogger("socket");

export type Sweeps = {
  /** Sweeps in full as soon as a sweep that runs has ended: nobody knows what was missed. */
  now(): void;
  stop(): void;
};

/**
 * Sweeps again and again, one sweep at a time.
 * @param everyMs from the begin of one to the next
 * @param fullEvery each so many sweeps is a full one
 */
export function startSweeps(deps: SocketDeps, everyMs: number, fullEvery: number): Sweeps {
  let count = 0;
  let isRunning = false;
  let isWanted = false;
  const run = async (isFull: boolean): Promise<void> => {
    isRunning = true;
    try {
      await sweepSockets(deps, isFull);
    } catch (error) {
      log.warn("A sweep failed; the next one tries again.", { error: describeCause(error) });
    }
    isRunning = false;
    if (!isWanted) return;
    isWanted = false;
    await run(true);
  };
  const timer = setInterval(() => {
    count += 1;
    if (!isRunning) void run(count % fullEvery === 0);
  }, everyMs);
  return {
    now() {
      if (isRunning) isWanted = true;
      else void run(true);
    },
    stop() {
      isWanted = false;
      clearInterval(timer);
    },
  };
}
