import {
  client,
  connect,
  type Database,
  type HandSql,
  type Target,
} from "../../src/database/connect.ts";
import { JOBS_CHANNEL } from "../../src/jobs-queue/enqueue.ts";
import type { Handlers } from "../../src/jobs-queue/kinds.ts";
import { Runner, type RunnerOptions } from "../../src/jobs-queue/runner.ts";
import { freshDatabase } from "../support/database.ts";

/** A queue on a database of its own, and runners that a test starts on it. */
export class Queue {
  readonly #runners: Runner[] = [];
  readonly #listeners: HandSql[] = [];

  private constructor(
    readonly target: Target & object,
    readonly database: Database,
  ) {}

  static async open(): Promise<Queue> {
    const target = await freshDatabase();
    return new Queue(target, connect(target, 8));
  }

  get sql(): HandSql {
    return this.database.sql;
  }

  /** A runner as a process has one; it is woken by NOTIFY unless `deaf`. */
  async runner(
    handlers: Partial<Handlers>,
    options: Partial<RunnerOptions> = {},
    deaf = false,
  ): Promise<Runner> {
    const runner = new Runner({ sql: this.sql, runner: Bun.randomUUIDv7(), handlers, ...options });
    this.#runners.push(runner);
    if (!deaf) {
      const listener = client(this.target, 1) as HandSql;
      this.#listeners.push(listener);
      await listener.listen(JOBS_CHANNEL, () => runner.wake());
    }
    runner.start();
    return runner;
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

  /** Ends what a test has started, and empties the queue. */
  async reset(): Promise<void> {
    await Promise.all(this.#runners.splice(0).map((runner) => runner.stop()));
    await Promise.all(this.#listeners.splice(0).map((listener) => listener.end({ timeout: 0 })));
    await this.sql`delete from jobs`;
    await this.sql`delete from schedules`;
  }

  async close(): Promise<void> {
    await this.reset();
    await this.database.close();
  }
}

/** Waits for a condition of the database. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 8_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within eight seconds: ${holds}`);
    await Bun.sleep(5);
  }
}
