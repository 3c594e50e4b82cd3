import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { client, type HandSql } from "../../src/database/connect.ts";
import { enqueue, JOBS_CHANNEL } from "../../src/jobs-queue/enqueue.ts";
import { listFailed, queueDepth, retryFailed } from "../../src/jobs-queue/failed.ts";
import { FatalJobError } from "../../src/jobs-queue/kinds.ts";
import { claim, finish } from "../../src/jobs-queue/table.ts";
import { eventually, Queue } from "./support.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

const add = (more: { key?: string; inSeconds?: number; maxAttempts?: number } = {}) =>
  enqueue(queue.database.db, { kind: "sweep", payload: {}, ...more });
const isEmpty = async () => (await queue.rows()).length === 0;

describe("a job", () => {
  test("is there with the transaction that causes it, or is not", async () => {
    const failing = queue.database.db.transaction(async (tx) => {
      await enqueue(tx, { kind: "sweep", payload: {} });
      throw new Error("no");
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("no");
    expect(await isEmpty()).toBe(true);
  });

  test("runs with its payload, and is gone when it is done", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    await queue.runner({ sweep: async (payload, { attempt }) => resolve([payload, attempt]) });
    await add();
    expect(await promise).toEqual([{}, 1]);
    await eventually(isEmpty);
  });

  test("for later is found when it is due, not at the next look", async () => {
    let ran = 0;
    await add({ inSeconds: 0.4 });
    await queue.runner({ sweep: async () => void ran++ }, { pollSeconds: 60 }, true);
    expect((await queue.rows())[0]?.in_seconds).toBeGreaterThan(0);
    expect(ran).toBe(0);
    await eventually(isEmpty);
    expect(ran).toBe(1);
  });

  test("for later notifies nobody, and is found by looking", async () => {
    let heard = 0;
    const listener = client(queue.target, 1) as HandSql;
    await listener.listen(JOBS_CHANNEL, () => void heard++);
    await queue.runner({ sweep: async () => {} }, { pollSeconds: 0.1 }, true);
    await add({ inSeconds: 0.2 });
    await eventually(isEmpty);
    await add();
    await eventually(async () => heard > 0);
    expect(heard).toBe(1);
    await listener.end({ timeout: 0 });
  });

  test("is found by looking when NOTIFY is not heard", async () => {
    await queue.runner({ sweep: async () => {} }, { pollSeconds: 0.05 }, true);
    await add();
    await eventually(isEmpty);
  });

  test("of a kind that is not known here is left, and holds nothing up", async () => {
    await queue.sql`insert into jobs (id, kind, payload, max_attempts)
      values (${Bun.randomUUIDv7()}, 'of_tomorrow', '{}', 3)`;
    await queue.runner({ sweep: async () => {} });
    await add();
    await eventually(async () => (await queue.rows()).length === 1);
    expect(await queue.rows()).toMatchObject([{ kind: "of_tomorrow", attempts: 0, failed: false }]);
  });

  test("with a key is made once while it waits or runs, also when many ask at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => add({ key: "one" })));
    expect(made.filter(Boolean)).toHaveLength(1);
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    await queue.runner({ sweep: () => hold });
    await eventually(async () => (await queue.rows())[0]?.locked_by !== null);
    expect(await add({ key: "one" })).toBe(false);
    release();
    await eventually(isEmpty);
    expect(await add({ key: "one" })).toBe(true);
  });

  test("of five hundred runs once, whatever the number of runners", async () => {
    const ran = new Map<string, number>();
    const handler = async () => {};
    for (let i = 0; i < 4; i++) {
      await queue.runner(
        { sweep: handler },
        { onTried: (kind) => void ran.set(kind, (ran.get(kind) ?? 0) + 1) },
      );
    }
    await queue.sql`insert into jobs (id, kind, payload, max_attempts)
      select gen_random_uuid(), 'sweep', '{}', 3 from generate_series(1, 500)`;
    await add();
    await eventually(isEmpty);
    await eventually(async () => ran.get("sweep") === 501);
  });
});

describe("a job that fails", () => {
  test("is tried again later and later, with its error kept", async () => {
    const delays: number[] = [];
    await queue.runner({
      sweep: async () => {
        throw new Error("the printer is on fire");
      },
    });
    await add({ maxAttempts: 5 });
    for (let attempt = 1; attempt <= 4; attempt++) {
      await eventually(async () => {
        const [row] = await queue.rows();
        return row?.attempts === attempt && row.locked_by === null;
      });
      const [row] = await queue.rows();
      expect(row?.last_error).toBe("the printer is on fire");
      delays.push(row?.in_seconds ?? 0);
      await queue.sql`update jobs set run_at = clock_timestamp()`;
      await queue.sql`select pg_notify('snug_jobs', '')`;
    }
    // 5, 10, 20, 40 seconds, each a quarter more or less.
    for (const [i, delay] of delays.entries()) {
      expect(delay).toBeGreaterThan(5 * 2 ** i * 0.75 - 1);
      expect(delay).toBeLessThan(5 * 2 ** i * 1.25 + 1);
    }
  });

  test("for the last time stays among the failed until it is retried", async () => {
    let works = false;
    await queue.runner({
      sweep: async () => {
        if (!works) throw new Error("not yet");
      },
    });
    await add({ maxAttempts: 1, key: "mine" });
    await eventually(async () => (await queue.rows())[0]?.failed === true);
    const [failed] = await listFailed(queue.sql, 10);
    expect(failed).toMatchObject({ kind: "sweep", attempts: 1, last_error: "not yet" });
    expect(await queueDepth(queue.sql)).toMatchObject({ waiting: 0, running: 0, failed: 1 });
    works = true;
    await retryFailed(queue.sql, failed?.id ?? "");
    await eventually(isEmpty);
    expect(retryFailed(queue.sql, failed?.id ?? "")).rejects.toThrow("not_found");
  });

  test("for good is not tried again", async () => {
    await queue.runner({
      sweep: async () => {
        throw new FatalJobError("gone");
      },
    });
    await add();
    await eventually(async () => (await queue.rows())[0]?.failed === true);
    expect(await queue.rows()).toMatchObject([{ attempts: 1, last_error: "gone" }]);
  });

  test("by taking too long is aborted", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await queue.runner(
      {
        sweep: (_, { signal }) =>
          new Promise(() => signal.addEventListener("abort", () => resolve(), { once: true })),
      },
      { timeoutSeconds: 0.05 },
    );
    await add();
    await promise;
    await eventually(async () => (await queue.rows())[0]?.last_error === "It took too long.");
  });
});

describe("a lease", () => {
  test("is made longer while the handler runs", async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    let started = 0;
    const handlers = {
      sweep: () => {
        started += 1;
        return hold;
      },
    };
    await queue.runner(handlers, { leaseSeconds: 0.3, pollSeconds: 0.05 });
    await queue.runner(handlers, { leaseSeconds: 0.3, pollSeconds: 0.05 });
    await add();
    await eventually(async () => {
      // Well past the first lease's end.
      const [row] =
        await queue.sql`select locked_until > created_at + interval '1 second' as longer from jobs`;
      return row?.longer === true;
    });
    expect(started).toBe(1);
    release();
    await eventually(isEmpty);
  });

  test("of a process that died ends, and another takes the job over", async () => {
    await add();
    const dead = Bun.randomUUIDv7();
    const [taken] = await claim(queue.sql, dead, ["sweep"], 1, 0.2);
    expect(taken?.attempt).toBe(1);
    const { promise, resolve } = Promise.withResolvers<number>();
    await queue.runner({ sweep: async (_, { attempt }) => resolve(attempt) });
    expect(await promise).toBe(2);
    await eventually(isEmpty);
  });

  test("that is lost aborts the handler, whose end then changes nothing", async () => {
    const aborted = Promise.withResolvers<void>();
    const hold = Promise.withResolvers<void>();
    await queue.runner(
      {
        sweep: (_, { signal }) => {
          signal.addEventListener("abort", () => aborted.resolve(), { once: true });
          return hold.promise;
        },
      },
      { leaseSeconds: 0.3 },
    );
    await add();
    await eventually(async () => (await queue.rows())[0]?.locked_by !== null);
    const other = Bun.randomUUIDv7();
    await queue.sql`update jobs set locked_by = ${other}, attempts = attempts + 1,
      locked_until = clock_timestamp() + interval '1 minute'`;
    await aborted.promise;
    hold.resolve();
    expect(await queue.rows()).toMatchObject([{ locked_by: other, attempts: 2, failed: false }]);
  });

  test("of the last try that ended with its process leaves the job among the failed", async () => {
    await add({ maxAttempts: 1 });
    await claim(queue.sql, Bun.randomUUIDv7(), ["sweep"], 1, 0.05);
    let ran = 0;
    await queue.runner({ sweep: async () => void ran++ }, { pollSeconds: 0.05 });
    await eventually(async () => (await queue.rows())[0]?.failed === true);
    expect(ran).toBe(0);
  });

  test("fences the end of a job: one that lost it does not delete the next holder's", async () => {
    await add();
    const [first, second] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
    const [taken] = await claim(queue.sql, first, ["sweep"], 1, -1);
    const [again] = await claim(queue.sql, second, ["sweep"], 1, 60);
    expect(again?.id).toBe(taken?.id as string);
    const id = taken?.id ?? "";
    expect(await finish(queue.sql, { runner: first, id, attempt: 1 })).toBe(false);
    expect(await finish(queue.sql, { runner: second, id, attempt: 2 })).toBe(true);
  });
});

describe("a stop", () => {
  test("gives unfinished jobs back at once, and no try is counted", async () => {
    const runner = await queue.runner({ sweep: () => new Promise(() => {}) });
    await add();
    await eventually(async () => (await queue.rows())[0]?.locked_by !== null);
    await runner.stop();
    expect(await queue.rows()).toMatchObject([{ attempts: 0, locked_by: null, failed: false }]);
    await queue.runner({ sweep: async () => {} });
    await eventually(isEmpty);
  });

  test("takes nothing more", async () => {
    const runner = await queue.runner({ sweep: async () => {} });
    await runner.stop();
    await add();
    runner.wake();
    expect(await queue.rows()).toHaveLength(1);
  });
});

test("connections that are cut do not end a runner", async () => {
  // A job whose claim was cut off before it was heard of is free when its lease ends.
  const options = { pollSeconds: 0.05, leaseSeconds: 0.5 };
  const runner = await queue.runner({ sweep: async () => {} }, options);
  await queue.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  // The test's own connections were cut too.
  await eventually(() => add().catch(() => false));
  await eventually(() => isEmpty().catch(() => false));
  await runner.stop();
});
