import type { HandSql } from "../database/connect.ts";
import { getLogger } from "../platform/log.ts";
import { FatalJobError, type Handlers, type JobContext } from "./kinds.ts";
import {
  buryLost,
  type Claimed,
  claim,
  fail,
  finish,
  giveBack,
  renew,
  secondsToNext,
} from "./table.ts";

const log = getLogger("jobs");

export type RunnerOptions = {
  sql: HandSql;
  /** This process's id. */
  runner: string;
  handlers: Partial<Handlers>;
  /** Called after each try. `ms` is how long it took. */
  onTried?(kind: string, outcome: "done" | "failed", ms: number): void;
  concurrency?: number;
  leaseSeconds?: number;
  /** A handler that takes longer is aborted, and its try has failed. */
  timeoutSeconds?: number;
  /** At the latest after so long it looks by itself: nobody is notified of a job for later. */
  pollSeconds?: number;
};

type Running = Claimed & { abort: AbortController; done: Promise<void> };

/**
 * Runs due jobs, some at a time. Delivery is at least once: a job whose process dies is taken by
 * another when the lease ends, so handlers are idempotent and check again what was true before.
 */
export class Runner {
  readonly #running = new Map<string, Running>();
  readonly #kinds: string[];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #renewal: ReturnType<typeof setInterval> | null = null;
  #looking: Promise<void> | null = null;
  #again = false;
  #stopping = false;

  constructor(private readonly options: RunnerOptions) {
    // A kind that is not known here may be to a newer process: it is left to that.
    this.#kinds = Object.keys(options.handlers);
  }

  get #concurrency(): number {
    return this.options.concurrency ?? 8;
  }

  start(): void {
    const { leaseSeconds = 30 } = this.options;
    this.#renewal = setInterval(() => void this.#renew().catch(warn), (leaseSeconds * 1_000) / 3);
    this.wake();
  }

  /** A job may be due. */
  wake(): void {
    if (this.#stopping) return;
    this.#again = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
  }

  /** Takes no more, aborts what runs and gives it back at once. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#renewal) clearInterval(this.#renewal);
    await this.#looking;
    for (const job of this.#running.values()) job.abort.abort(new Error("stopping"));
    await Promise.all([...this.#running.values()].map((job) => job.done));
  }

  async #look(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    const { sql, pollSeconds = 2 } = this.options;
    let next: number | null = null;
    try {
      // Whoever wakes it meanwhile is heard.
      while (this.#again && !this.#stopping) {
        this.#again = false;
        await this.#fill();
        if (this.#again) continue;
        await buryLost(sql);
        next = await secondsToNext(sql, this.#kinds);
      }
    } catch (error) {
      warn(error);
    }
    if (this.#stopping) return;
    // With all hands full, the end of a job looks again.
    const isFull = this.#running.size >= this.#concurrency;
    const wait = isFull ? pollSeconds : Math.min(pollSeconds, Math.max(0.05, next ?? pollSeconds));
    this.#timer = setTimeout(() => this.wake(), wait * 1_000);
  }

  async #fill(): Promise<void> {
    const { sql, runner, leaseSeconds = 30 } = this.options;
    const free = this.#concurrency - this.#running.size;
    if (free <= 0) return;
    const jobs = await claim(sql, runner, this.#kinds, free, leaseSeconds);
    for (const job of jobs) this.#run(job);
    if (jobs.length === free) this.#again = true;
  }

  #run(job: Claimed): void {
    const abort = new AbortController();
    const done = this.#attempt(job, abort)
      .catch(warn)
      .finally(() => {
        this.#running.delete(job.id);
        this.wake();
      });
    this.#running.set(job.id, { ...job, abort, done });
  }

  async #attempt(job: Claimed, abort: AbortController): Promise<void> {
    const { sql, runner, onTried, timeoutSeconds = 60 } = this.options;
    const started = performance.now();
    const holder = { runner, id: job.id, attempt: job.attempt };
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    try {
      const signal = AbortSignal.any([abort.signal, timeout]);
      await untilAborted(this.#handle(job, { attempt: job.attempt, signal }), signal);
      await finish(sql, holder);
      onTried?.(job.kind, "done", performance.now() - started);
    } catch (error) {
      if (abort.signal.aborted) {
        // Lost, or stopping: if it is still ours, another may have it now.
        if (this.#stopping) await giveBack(sql, holder);
        return;
      }
      const message = timeout.aborted ? "It took too long." : messageOf(error);
      log.warn("A job failed.", {
        kind: job.kind,
        job_id: job.id,
        attempt: job.attempt,
        error: message,
      });
      await fail(sql, holder, message, error instanceof FatalJobError);
      onTried?.(job.kind, "failed", performance.now() - started);
    }
  }

  #handle({ kind, payload }: Claimed, context: JobContext): Promise<void> {
    const handler = this.options.handlers[kind];
    if (!handler) throw new Error(`No handler for ${kind}.`);
    return handler(payload as never, context);
  }

  /** A lease that could not be made longer is lost: its handler must not go on. */
  async #renew(): Promise<void> {
    const { sql, runner, leaseSeconds = 30 } = this.options;
    const held = [...this.#running.values()].map(({ id, attempt }) => ({ runner, id, attempt }));
    if (held.length === 0) return;
    const kept = await renew(sql, runner, held, leaseSeconds);
    for (const { id } of held) {
      if (!kept.has(id)) this.#running.get(id)?.abort.abort(new Error("the lease is lost"));
    }
  }
}

/** A handler that does not heed its signal is left behind. */
function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  work.catch(() => {});
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", onAbort));
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
}

function warn(error: unknown): void {
  log.warn("The queue could not be read or written; it is tried again.", {
    error: messageOf(error),
  });
}
