import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "../../src/database/schema.ts";
import { JOBS_CHANNEL } from "../../src/jobs-queue/enqueue.ts";
import { FatalJobError } from "../../src/jobs-queue/job.ts";
import { Queue } from "./support.ts";
import { eventually } from "../support/wait.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

const failing = (error: unknown) => async () => {
  throw error;
};

/** Lets the job fail so many times, and tells how long each time it was put off for. */
async function delays(times: number): Promise<number[]> {
  const found: number[] = [];
  for (let attempt = 1; attempt <= times; attempt++) {
    await eventually(async () => {
      const [row] = await queue.rows();
      return row?.attempts === attempt && row.locked_by === null;
    });
    found.push((await queue.rows())[0]?.in_seconds ?? 0);
    await queue.sql`update jobs set run_at = clock_timestamp() - interval '1 second'`;
    await queue.sql`select pg_notify(${JOBS_CHANNEL}, '')`;
  }
  return found;
}

function expectAbout(found: number[], seconds: number[]): void {
  for (const [i, delay] of found.entries()) {
    expect(delay).toBeGreaterThan((seconds[i] ?? 0) * 0.75 - 1);
    expect(delay).toBeLessThan((seconds[i] ?? 0) * 1.25 + 1);
  }
}

describe("a job that fails", () => {
  test("is retried with backoff", async () => {
    await queue.runner({ sweep: failing(new Error("no")) });
    await queue.add({ maxAttempts: 5 });
    expectAbout(await delays(4), [5, 10, 20, 40]);
  });

  test("waits about an hour at most", async () => {
    await queue.add({ maxAttempts: 10_000 });
    await queue.sql`update jobs set attempts = 4999`;
    await queue.runner({ sweep: failing(new Error("no")) });
    await eventually(async () => (await queue.rows())[0]?.attempts === 5_000);
    await eventually(async () => !(await queue.isRunning()));
    expectAbout([(await queue.rows())[0]?.in_seconds ?? 0], [3_600]);
  });

  test("does not return together with others that failed at the same time", async () => {
    await queue.runner({ sweep: failing(new Error("no")) });
    for (let n = 0; n < 20; n++) await queue.add();
    await eventually(async () => (await queue.rows()).every((row) => row.last_error !== null));
    const seconds = (await queue.rows()).map((row) => row.in_seconds);
    expect(Math.max(...seconds) - Math.min(...seconds)).toBeGreaterThan(0.5);
  });

  test("for the last time stays as a failed job", async () => {
    await queue.runner({ sweep: failing(new Error("the printer is on fire")) });
    await queue.add({ maxAttempts: 1 });
    await eventually(() => queue.hasFailed());
    expect(await queue.rows()).toMatchObject([
      { attempts: 1, locked_by: null, last_error: "the printer is on fire" },
    ]);
  });

  test("for good is not retried", async () => {
    await queue.runner({ sweep: failing(new FatalJobError("gone")) });
    await queue.add();
    await eventually(() => queue.hasFailed());
    expect(await queue.rows()).toMatchObject([{ attempts: 1, last_error: "gone" }]);
  });

  test("before its first await is no different", async () => {
    await queue.runner({
      sweep: () => {
        throw new Error("at once");
      },
    });
    await queue.add({ maxAttempts: 1 });
    await eventually(() => queue.hasFailed());
    expect((await queue.rows())[0]?.last_error).toBe("at once");
  });
});

describe("the error that administrators read", () => {
  test("contains no statement and no parameter", async () => {
    const { db } = queue.database;
    await queue.runner({
      sweep: async () => {
        await db.select().from(users).where(eq(users.id, "a secret"));
      },
    });
    await queue.add({ maxAttempts: 1 });
    await eventually(() => queue.hasFailed());
    const error = (await queue.rows())[0]?.last_error;
    expect(error).toStartWith("invalid input syntax for type uuid");
    expect(error).not.toContain("select");
  });

  test("can be stored in PostgreSQL", async () => {
    await queue.runner({ sweep: failing(new Error(`a\0b${"c".repeat(5_000)}`)) });
    await queue.add({ maxAttempts: 1 });
    await eventually(() => queue.hasFailed());
    expect((await queue.rows())[0]?.last_error).toBe(`ab${"c".repeat(998)}`);
  });
});

describe("a job that takes too long", () => {
  const heeding =
    (heard: () => void) =>
    (_: object, { signal }: { signal: AbortSignal }) =>
      new Promise<void>(() => signal.addEventListener("abort", heard, { once: true }));

  test("is aborted, and has failed", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await queue.runner({ sweep: heeding(resolve) }, { timeoutSeconds: 0.05 });
    await queue.add();
    await promise;
    await eventually(async () => (await queue.rows())[0]?.last_error === "It took too long.");
  });

  test("after the timeout of its kind", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await queue.runner({ sweep: { run: heeding(resolve), timeoutSeconds: 0.05 } });
    await queue.add();
    await promise;
    await eventually(async () => (await queue.rows())[0]?.last_error === "It took too long.");
  });
});
