import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { failJob, finishJob, returnJob } from "../../src/jobs-queue/lease.ts";
import { claimJobs } from "../../src/jobs-queue/queue.ts";
import { forever, Queue } from "./support.ts";
import { eventually } from "../support/wait.ts";

const ONE_SWEEP = [{ kind: "sweep", pool: 0, places: 1 }];
let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

describe("a lease", () => {
  test("is renewed while the handler runs", async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    let started = 0;
    const sweep = () => {
      started += 1;
      return hold;
    };
    // Long enough for a busy machine to renew it in time.
    await queue.runner({ sweep }, { leaseSeconds: 1, pollSeconds: 0.05 });
    await queue.runner({ sweep }, { leaseSeconds: 1, pollSeconds: 0.05 });
    await queue.add();
    await eventually(async () => {
      // Well past the first lease's end.
      const [row] = await queue.sql`
        select locked_until > created_at + interval '3 seconds' as longer from jobs`;
      return row?.longer === true;
    });
    expect(started).toBe(1);
    release();
    await eventually(() => queue.isEmpty());
  });

  test("of a process that died expires, and another claims the job", async () => {
    await queue.add();
    const [taken] = await claimJobs(queue.sql, Bun.randomUUIDv7(), ONE_SWEEP, 0.2);
    expect(taken?.attempt).toBe(1);
    const { promise, resolve } = Promise.withResolvers<number>();
    await queue.runner({ sweep: async (_, { attempt }) => resolve(attempt) }, { pollSeconds: 60 });
    expect(await promise).toBe(2);
    await eventually(() => queue.isEmpty());
  });

  test("of the last attempt that expires leaves a failed job", async () => {
    await queue.add({ maxAttempts: 1 });
    await claimJobs(queue.sql, Bun.randomUUIDv7(), ONE_SWEEP, 0.05);
    let ran = 0;
    await queue.runner({ sweep: async () => void ran++ }, { pollSeconds: 0.05 });
    await eventually(() => queue.hasFailed());
    expect(ran).toBe(0);
  });

  test("that another process has claimed aborts the handler", async () => {
    const aborted = Promise.withResolvers<unknown>();
    await queue.runner(
      {
        sweep: (_, { signal }) => {
          signal.addEventListener("abort", () => aborted.resolve(signal.reason), { once: true });
          return forever();
        },
      },
      { leaseSeconds: 1.5 },
    );
    await queue.add();
    await eventually(() => queue.isRunning());
    const taken = performance.now();
    const other = Bun.randomUUIDv7();
    await queue.sql`update jobs set locked_by = ${other}, attempts = attempts + 1,
      locked_until = clock_timestamp() + interval '1 minute'`;
    expect(String(await aborted.promise)).toBe("LeaseLost: The lease is lost.");
    // When it should have been made longer, not only by its end.
    expect(performance.now() - taken).toBeLessThan(1_200);
    expect(await queue.rows()).toMatchObject([{ locked_by: other, attempts: 2 }]);
  });

  test("that cannot be renewed aborts the handler when it expires", async () => {
    const aborted = Promise.withResolvers<unknown>();
    const cut = queue.client();
    await queue.runner(
      {
        sweep: async (_, { signal }) => {
          signal.addEventListener("abort", () => aborted.resolve(signal.reason), { once: true });
          // From here on this process does not reach the database.
          await cut.end({ timeout: 0 });
          return forever();
        },
      },
      { database: { ...queue.database, sql: cut }, leaseSeconds: 0.3 },
    );
    await queue.add();
    expect(String(await aborted.promise)).toBe("LeaseLost: The lease is lost.");
  });

  test("that was lost does not abort a later attempt of the same job", async () => {
    await queue.add();
    const held = Promise.withResolvers<void>();
    let aborts = 0;
    await queue.runner(
      {
        sweep: (_, { attempt, signal }) => {
          signal.addEventListener("abort", () => aborts++);
          return attempt === 1 ? Promise.reject(new Error("no")) : held.promise;
        },
      },
      { leaseSeconds: 0.15, pollSeconds: 0.02 },
    );
    await eventually(async () => (await queue.rows())[0]?.last_error === "no");
    await queue.sql`update jobs set run_at = clock_timestamp() - interval '1 second'`;
    await eventually(async () => {
      const [row] = await queue.sql`
        select attempts = 2 and locked_until > run_at + interval '0.5 second' as longer from jobs`;
      return row?.longer === true;
    });
    expect(aborts).toBe(0);
    held.resolve();
    await eventually(() => queue.isEmpty());
  });
});

describe("a runner that lost its lease does not change the job of the next one", () => {
  const [first, second] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];

  async function takenOver(by: string) {
    await queue.add();
    const [taken] = await claimJobs(queue.sql, first, ONE_SWEEP, 60);
    await queue.sql`update jobs set locked_by = null, locked_until = null`;
    await claimJobs(queue.sql, by, ONE_SWEEP, 60);
    return { runner: first, id: taken?.id ?? "", attempt: 1 };
  }

  test("by finishing it", async () => {
    expect(await finishJob(queue.sql, await takenOver(second))).toBe(false);
    expect(await queue.rows()).toMatchObject([{ locked_by: second, attempts: 2 }]);
  });

  test("by finishing it, even if it is the next runner itself", async () => {
    expect(await finishJob(queue.sql, await takenOver(first))).toBe(false);
    expect(await queue.rows()).toMatchObject([{ locked_by: first, attempts: 2 }]);
  });

  test("by failing it", async () => {
    expect(await failJob(queue.sql, await takenOver(second), "no", 5)).toBe(false);
    expect(await queue.rows()).toMatchObject([{ locked_by: second, last_error: null }]);
  });

  test("by returning it", async () => {
    await returnJob(queue.sql, await takenOver(second));
    expect(await queue.rows()).toMatchObject([{ locked_by: second, attempts: 2 }]);
  });
});

test("only the runner with the lease finishes a job", async () => {
  await queue.add();
  const runner = Bun.randomUUIDv7();
  const [taken] = await claimJobs(queue.sql, runner, ONE_SWEEP, 60);
  expect(await finishJob(queue.sql, { runner, id: taken?.id ?? "", attempt: 1 })).toBe(true);
  expect(await queue.isEmpty()).toBe(true);
});
