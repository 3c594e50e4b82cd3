import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { enqueueJob } from "../../src/jobs-queue/enqueue.ts";
import { forever, Queue } from "./support.ts";
import { eventually } from "../support/wait.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

describe("a job", () => {
  test("is committed with the transaction that causes it, or not at all", async () => {
    const failing = queue.database.db.transaction(async (tx) => {
      await enqueueJob(tx, { kind: "sweep", payload: {} });
      throw new Error("no");
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("no");
    expect(await queue.isEmpty()).toBe(true);
  });

  test("runs with its payload, and is deleted when it is done", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    await queue.runner({
      sweep: async (payload, { id, attempt }) => resolve([payload, id, attempt]),
    });
    const payload = { to: ["ada", 'a "quote"'], deep: { n: 1 } } as never;
    await queue.database.db.transaction(async (tx) => {
      await enqueueJob(tx, { kind: "sweep", payload });
    });
    expect(await promise).toEqual([payload, expect.any(String), 1]);
    await eventually(() => queue.isEmpty());
  });

  test("of an unknown kind is left, and delays no other", async () => {
    await queue.sql`insert into jobs (id, kind, payload, max_attempts)
      select gen_random_uuid(), 'of_tomorrow', '{}', 3 from generate_series(1, 20)`;
    await queue.runner({ sweep: async () => {} }, { concurrency: 2 });
    await queue.add();
    await eventually(async () => (await queue.rows()).length === 20);
    const touched = (await queue.rows()).filter((row) => row.attempts > 0 || row.locked_by);
    expect(touched).toEqual([]);
  });

  test("takes effect once, whatever the number of runners", async () => {
    await queue.sql`create table effects (id uuid not null)`;
    const handlers = {
      sweep: async (_: object, { id }: { id: string }) => {
        await queue.sql`insert into effects values (${id})`;
      },
    };
    await queue.sql`insert into jobs (id, kind, payload, max_attempts)
      select gen_random_uuid(), 'sweep', '{}', 3 from generate_series(1, 500)`;
    await Promise.all(Array.from({ length: 4 }, () => queue.runner(handlers)));
    await eventually(() => queue.isEmpty());
    const [row] = await queue.sql`
      select count(*)::int as all, count(distinct id)::int as ids from effects`;
    expect(row).toEqual({ all: 500, ids: 500 });
  });

  test("runs beside others within the limit of concurrency", async () => {
    let running = 0;
    let most = 0;
    const enough = Promise.withResolvers<void>();
    const sweep = async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 3) enough.resolve();
      await enough.promise;
      running -= 1;
    };
    for (let n = 0; n < 10; n++) await queue.add();
    await queue.runner({ sweep }, { concurrency: 3 });
    await eventually(() => queue.isEmpty());
    expect(most).toBe(3);
  });
});

test("a kind with its own concurrency delays no other, and stays within its limit", async () => {
  const hold = Promise.withResolvers<void>();
  let running = 0;
  const done = Promise.withResolvers<void>();
  const run = () => {
    running += 1;
    return hold.promise;
  };
  for (let n = 0; n < 4; n++) {
    await enqueueJob(queue.database.db, { kind: "webhook_events", payload: { hookId: String(n) } });
  }
  await queue.runner(
    { webhook_events: { concurrency: 2, run }, sweep: async () => done.resolve() },
    { concurrency: 1 },
  );
  await queue.add();
  await done.promise;
  await eventually(async () => running >= 2);
  expect(running).toBe(2);
  hold.resolve();
  await eventually(() => queue.isEmpty());
  expect(running).toBe(4);
});

describe("a key", () => {
  test("is of one job, also when many are queued at once", async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => queue.add({ key: "one" })));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await queue.rows()).toHaveLength(1);
  });

  test("is in use while its job runs, and free when it is done", async () => {
    await queue.add({ key: "one" });
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    await queue.runner({ sweep: () => hold });
    await eventually(() => queue.isRunning());
    expect(await queue.add({ key: "one" })).toBe(false);
    release();
    await eventually(() => queue.isEmpty());
    expect(await queue.add({ key: "one" })).toBe(true);
  });

  test("is free when its job has failed for good", async () => {
    await queue.add({ key: "one" });
    await queue.sql`update jobs set failed_at = clock_timestamp()`;
    expect(await queue.add({ key: "one" })).toBe(true);
  });

  test("leaves the time of the waiting job as it is", async () => {
    await queue.add({ key: "one", inSeconds: 60 });
    await queue.add({ key: "one" });
    expect((await queue.rows())[0]?.in_seconds).toBeGreaterThan(50);
  });
});

test("attempts here are reported, with kind and result", async () => {
  const told: string[] = [];
  const onAttempt = (kind: string, outcome: string, ms: number) =>
    void told.push(`${kind} ${outcome} ${ms >= 0}`);
  const sweep = async (_: object, { id }: { id: string }) => {
    const [first] = await queue.rows();
    if (id === first?.id) throw new Error("no");
  };
  await queue.add({ maxAttempts: 1 });
  await queue.add();
  await queue.runner({ sweep, prune_log: forever }, { onAttempt, concurrency: 1 });
  await eventually(async () => told.length === 2);
  expect(told.sort()).toEqual(["sweep done true", "sweep failed true"]);
});
