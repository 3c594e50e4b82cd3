import type { Handling } from "../src/jobs-queue/kinds.ts";
import { type PushDeps, tellAgain, tellAll } from "../src/push/deliver.ts";

/** Tells those who are away of a message. */
export function push(deps: PushDeps): Handling<"push"> {
  return {
    concurrency: 8,
    // A room of many thousands takes a while.
    timeoutSeconds: 900,
    run: (payload, context) => tellAll(deps, payload, context),
  };
}

/** Tells one of them whose push service was not able to. */
export function pushRetry(deps: PushDeps): Handling<"push_retry"> {
  return { concurrency: 8, run: (payload, context) => tellAgain(deps, payload, context) };
}
