import { LRUCache } from "lru-cache";
import type { Egress } from "../platform/egress/egress.ts";
import { FairSemaphore } from "../platform/concurrency/semaphore.ts";
import { type PushOptions, type PushResult, sendPush } from "./send.ts";
import type { Subscription } from "./subscriptions.ts";
import type { Vapid } from "./vapid.ts";

/** Maximum number of concurrent requests from this process to push services. */
const CONCURRENCY = 128;
/** Pause after the first timeout of a push service, in seconds; doubled after each further one. */
const COOLDOWN_SECONDS = 15;
const MAX_COOLDOWN_SECONDS = 300;
const MAX_HOSTS = 1_000;

type Cooldown = { timeouts: number; until: number };

/**
 * Sends to the push services of browsers. Each host gets a fair share of the concurrent requests. After
 * a timeout a host is paused and its pushes are retried later.
 */
export class PushServices {
  readonly #semaphore = new FairSemaphore({ permits: CONCURRENCY });
  readonly #cooldowns = new LRUCache<string, Cooldown>({ max: MAX_HOSTS });

  constructor(
    private readonly egress: Pick<Egress, "request">,
    private readonly timeoutMs?: number,
  ) {}

  /**
   * Sends a payload to one browser once its push service has a free slot. The caller must limit the
   * number of waiting calls.
   * @throws the signal's reason when it is aborted
   */
  send(
    vapid: Vapid,
    subscription: Subscription,
    payload: string,
    options: PushOptions,
    signal?: AbortSignal,
  ): Promise<PushResult> {
    const host = URL.parse(subscription.endpoint)?.host ?? "";
    return this.#semaphore.run([host], async () => {
      signal?.throwIfAborted();
      const cooldown = this.#cooldowns.get(host);
      const seconds = ((cooldown?.until ?? 0) - performance.now()) / 1_000;
      if (seconds > 0) return { type: "later", reason: "the push service hangs", seconds };
      const timedOptions = { ...options, timeoutMs: this.timeoutMs };
      const result = await sendPush(
        this.egress,
        vapid,
        subscription,
        payload,
        timedOptions,
        signal,
      );
      if (result.type === "later" && result.hasTimedOut) this.#pause(host);
      else this.#cooldowns.delete(host);
      return result;
    });
  }

  /** Pauses a host after a timeout; concurrent timeouts count once. */
  #pause(host: string): void {
    const { timeouts, until } = this.#cooldowns.get(host) ?? { timeouts: 0, until: 0 };
    if (until > performance.now()) return;
    const seconds = Math.min(MAX_COOLDOWN_SECONDS, COOLDOWN_SECONDS * 2 ** timeouts);
    const next = { timeouts: timeouts + 1, until: performance.now() + seconds * 1_000 };
    this.#cooldowns.set(host, next);
  }
}
