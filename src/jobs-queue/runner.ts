import type { SqlClient } from "../database/connect.ts";
import { isUnavailable } from "../database/errors.ts";
import { getLogger } from "../platform/log.ts";
import { attempt, messageOf, type Outcome } from "./attempt.ts";
import { Held } from "./held.ts";
import type { Handlers, JobKind } from "./kinds.ts";
import { freeOf, type Pool, poolsOf } from "./pools.ts";
import { claim, expire, fail, finish, giveBack, renew, secondsToNext } from "./table.ts";

const log = getLogger("jobs");

/** While the database is away, or another process is just taking what is due. */
const AGAIN_MS = 20;
const TROUBLE_MS = 500;

export type RunnerOptions = {
  sql: SqlClient;
  /** This process's id. */
  runner: string;
  handlers: Partial<Handlers>;
  /** Called after each try that was this process's to the end. `ms` is how long it took. */
  onTried?(kind: JobKind, outcome: "done" | "failed", ms: number): void;
  concurrency?: number;
  leaseSeconds?: number;
  /** A handler that takes longer is aborted, and its try has failed. A kind may say otherwise. */
  timeoutSeconds?: number;
  /** At the latest after so long it looks by itself: nobody is notified of a job for later. */
  pollSeconds?: number;
};

const DEFAULTS = { concurrency: 8, leaseSeconds: 30, timeoutSeconds: 60, pollSeconds: 2 };

/**
 * Runs due jobs, some at a time. Delivery is at least once: a job whose process dies is taken by
 * another when the lease ends, so handlers are idempotent and check again what was true before.
 */
export class Runner {
  readonly #options: RunnerOptions & typeof DEFAULTS;
  readonly #held = new Set<Held>();
  readonly #pools: Pool[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewal: ReturnType<typeof setInterval> | undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  readonly #stop = new AbortController();

  constructor(options: RunnerOptions) {
    this.#options = { ...DEFAULTS, ...options };
    // A kind that is not known here may be to a newer process: it is left to that.
    this.#pools = poolsOf(options.handlers, this.#options.concurrency);
  }

  start(): void {
    const everyMs = (this.#options.leaseSeconds * 1_000) / 3;
    this.#renewal = setInterval(() => void this.#renew().catch(warn), everyMs);
    this.wake();
  }

  /** A job may be due. */
  wake(): void {
    if (this.#stopping) return;
    this.#again = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      if (this.#again) this.wake();
    });
  }

  /**
   * Takes no more, and gives back what is not finished as if it had not been taken.
   * @param graceMs for so long what runs may go on; then it is aborted
   */
  async stop(graceMs = 0): Promise<void> {
    this.#stop.abort(new Error("The process stops."));
    clearTimeout(this.#timer);
    await this.#looking;
    const timer = setTimeout(() => {
      for (const held of this.#held) held.interrupt();
    }, graceMs);
    await Promise.all([...this.#held].map((held) => held.done));
    clearTimeout(timer);
    clearInterval(this.#renewal);
  }

  get #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    const { sql, pollSeconds } = this.#options;
    let waitMs = pollSeconds * 1_000;
    try {
      // Whoever wakes it meanwhile is heard.
      while (this.#again && !this.#stopping) {
        this.#again = false;
        await expire(sql);
        await this.#fill();
        // With all places taken, the end of a job looks again.
        const free = freeOf(this.#pools, this.#heldKinds());
        if (this.#again || free.length === 0) continue;
        const next = await secondsToNext(
          sql,
          free.map(({ kind }) => kind),
        );
        if (next !== null) waitMs = Math.min(waitMs, Math.max(AGAIN_MS, next * 1_000));
      }
    } catch (error) {
      warn(error);
      waitMs = Math.min(waitMs, TROUBLE_MS);
    }
    if (!this.#stopping) this.#timer = setTimeout(() => this.wake(), waitMs);
  }

  async #fill(): Promise<void> {
    const { sql, runner, leaseSeconds } = this.#options;
    const free = freeOf(this.#pools, this.#heldKinds());
    if (free.length === 0) return;
    const since = performance.now();
    const jobs = await claim(sql, runner, free, leaseSeconds);
    for (const job of jobs) this.#hold(new Held(job, runner, leaseSeconds, since));
  }

  #heldKinds(): string[] {
    return [...this.#held].map(({ job }) => job.kind);
  }

  #hold(held: Held): void {
    this.#held.add(held);
    // Taken while it was asked to stop: not begun at all.
    if (this.#stopping) held.interrupt();
    held.done = this.#run(held)
      .catch(warn)
      .finally(() => {
        held.release();
        this.#held.delete(held);
        this.wake();
      });
  }

  async #run(held: Held): Promise<void> {
    const { handlers, timeoutSeconds, onTried } = this.#options;
    const { job, signal } = held;
    const started = performance.now();
    const outcome: Outcome = signal.aborted
      ? { type: "aborted" }
      : await attempt(job, handlers, timeoutSeconds, signal, this.#stop.signal);
    const ms = performance.now() - started;
    if (outcome.type === "failed") {
      const { id, kind, attempt } = job;
      log.warn("A job failed.", { kind, job_id: id, attempt, error: outcome.error });
    }
    const settled = await this.#settle(held, outcome);
    if (settled && outcome.type !== "aborted") onTried?.(job.kind, outcome.type, ms);
  }

  /**
   * Writes down how a try ended. Work that is done is not done again because the database was away
   * for a moment: it is tried while the lease lasts.
   * @returns false if the job was no longer this process's
   */
  async #settle(held: Held, outcome: Outcome): Promise<boolean> {
    const { sql } = this.#options;
    for (;;) {
      if (held.isLost) return false;
      try {
        if (outcome.type === "done") return await finish(sql, held.holder);
        if (outcome.type === "failed") {
          return await fail(sql, held.holder, outcome.error, outcome.delaySeconds);
        }
        await giveBack(sql, held.holder);
        return true;
      } catch (error) {
        warn(error);
        // What the database will not have, or a stop cannot wait for: the lease ends by itself.
        if (held.signal.aborted || !isUnavailable(error)) return false;
        await Bun.sleep(TROUBLE_MS);
      }
    }
  }

  /** A lease that could not be made longer is lost: its handler must not go on. */
  async #renew(): Promise<void> {
    const { sql, runner, leaseSeconds } = this.#options;
    const all = [...this.#held];
    if (all.length === 0) return;
    const since = performance.now();
    const holders = all.map((held) => held.holder);
    const kept = await renew(sql, runner, holders, leaseSeconds);
    for (const held of all) {
      if (!this.#held.has(held)) continue;
      if (kept.has(held.job.id)) held.keep(leaseSeconds, since);
      else held.lose();
    }
  }
}

function warn(error: unknown): void {
  log.warn("The queue could not be read or written; it is tried again.", {
    error: messageOf(error),
  });
}
