import {
  openClient,
  connectDatabase,
  type Database,
  type SqlClient,
} from "../../src/database/connect.ts";
import type { Target } from "../../src/database/target.ts";
import { enqueueJob, JOBS_CHANNEL, type NewJob } from "../../src/jobs-queue/enqueue.ts";
import type { Job, JobHandler, Jobs } from "../../src/jobs-queue/job.ts";
import type { JobKind } from "../../src/jobs-queue/kinds.ts";
import { Runner, type RunnerOptions } from "../../src/jobs-queue/runner.ts";
import { freshDatabase } from "../support/database.ts";

/** A handler that never ends. */
export const forever = () => new Promise<void>(() => {});

/** A job by its handler alone, or in full. */
type Handlers = { [K in JobKind]?: JobHandler<K> | Job<K> };

function toJobs(handlers: Handlers): Partial<Jobs> {
  const entries = Object.entries(handlers).map(([kind, handler]) => [
    kind,
    typeof handler === "function" ? { run: handler } : handler,
  ]);
  return Object.fromEntries(entries);
}

/** A queue on a database of its own, and runners that a test starts on it. */
export class Queue {
  readonly #runners: Runner[] = [];
  readonly #clients: SqlClient[] = [];

  private constructor(
    readonly target: Target & object,
    readonly database: Database,
  ) {}

  static async open(): Promise<Queue> {
    const target = await freshDatabase();
    const queue = new Queue(target, connectDatabase(target, 8));
    await queue.reset();
    return queue;
  }

  get sql(): SqlClient {
    return this.database.sql;
  }

  /** Queues a job of the kind that the tests give handlers to. */
  add(more: Partial<NewJob<"sweep">> = {}): Promise<boolean> {
    return enqueueJob(this.database.db, { kind: "sweep", payload: {}, ...more });
  }

  /** A connection of its own, for LISTEN or to be cut. */
  client(): SqlClient {
    const opened = openClient(this.target, 1) as SqlClient;
    this.#clients.push(opened);
    return opened;
  }

  /** A runner as a process has one; it is woken by NOTIFY unless `deaf`. */
  async runner(
    handlers: Handlers,
    options: Partial<RunnerOptions> = {},
    deaf = false,
  ): Promise<Runner> {
    const { database } = this;
    const jobs = toJobs(handlers);
    const runner = new Runner({ database, runner: Bun.randomUUIDv7(), jobs, ...options });
    this.#runners.push(runner);
    if (!deaf) await this.client().listen(JOBS_CHANNEL, () => runner.wake());
    runner.start();
    return runner;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.rows()).length === 0;
  }

  /** Whether a runner holds the only job. */
  async isRunning(): Promise<boolean> {
    return Boolean((await this.rows())[0]?.locked_by);
  }

  async hasFailed(): Promise<boolean> {
    return (await this.rows())[0]?.failed === true;
  }

  /** The rows as they are. */
  rows() {
    return this.sql<
      {
        id: string;
        kind: string;
        attempts: number;
        locked_by: string | null;
        last_error: string | null;
        failed: boolean;
        in_seconds: number;
      }[]
    >`select id, kind, attempts, locked_by, last_error, failed_at is not null as failed,
      extract(epoch from run_at - clock_timestamp())::float8 as in_seconds from jobs order by id`;
  }

  /** Stops what a test has started, and empties the queue. */
  async reset(): Promise<void> {
    await Promise.all(this.#runners.splice(0).map((runner) => runner.stop()));
    await Promise.all(this.#clients.splice(0).map((opened) => opened.end({ timeout: 0 })));
    await this.sql`delete from jobs`;
    await this.sql`delete from schedules`;
  }

  async close(): Promise<void> {
    await this.reset();
    await this.database.close();
  }
}
