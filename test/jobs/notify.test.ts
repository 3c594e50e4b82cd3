import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { enqueueJob, JOBS_CHANNEL } from "../../src/jobs-queue/enqueue.ts";
import { Queue } from "./support.ts";
import { eventually } from "../support/wait.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

const nothing = { sweep: async () => {} };
const DEAF = true;

/** Listens, and returns what it has received up to a mark that is sent last. */
async function ear() {
  const heard: string[] = [];
  const listener = queue.client();
  await listener.listen(JOBS_CHANNEL, (payload) => void heard.push(payload));
  return async () => {
    await queue.sql`select pg_notify(${JOBS_CHANNEL}, 'mark')`;
    await eventually(async () => heard.includes("mark"));
    return heard.length - 1;
  };
}

describe("NOTIFY", () => {
  test("is said at the commit of a job that is due", async () => {
    const count = await ear();
    await queue.add();
    expect(await count()).toBe(1);
  });

  test("is not said of a job for later", async () => {
    const count = await ear();
    await queue.add({ inSeconds: 60 });
    expect(await count()).toBe(0);
  });

  test("is said once for a transaction, whatever it queues", async () => {
    const count = await ear();
    await queue.database.db.transaction(async (tx) => {
      for (let n = 0; n < 5; n++) await enqueueJob(tx, { kind: "sweep", payload: {} });
    });
    expect(await count()).toBe(1);
  });

  test("wakes a runner with a long poll interval", async () => {
    await queue.runner(nothing, { pollSeconds: 60 });
    await queue.add();
    await eventually(() => queue.isEmpty());
  });
});

describe("without NOTIFY", () => {
  test("a job is found by polling", async () => {
    await queue.runner(nothing, { pollSeconds: 0.05 }, DEAF);
    await queue.add();
    await eventually(() => queue.isEmpty());
  });

  test("a job for later is found when it is due, not at the next poll", async () => {
    let ran = 0;
    await queue.add({ inSeconds: 0.4 });
    await queue.runner({ sweep: async () => void ran++ }, { pollSeconds: 60 }, DEAF);
    expect((await queue.rows())[0]?.in_seconds).toBeGreaterThan(0);
    expect(ran).toBe(0);
    await eventually(() => queue.isEmpty());
  });
});

describe("connections that are cut", () => {
  const cut = () => queue.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;

  test("do not end a runner", async () => {
    await queue.runner(nothing, { pollSeconds: 0.05 }, DEAF);
    await cut();
    // The test's own connections were cut too.
    await eventually(() => queue.add().catch(() => false));
    await eventually(() => queue.isEmpty().catch(() => false));
  });

  test("lose no job that was queued while no runner listened", async () => {
    const runner = await queue.runner(nothing, { pollSeconds: 60 }, DEAF);
    const listener = queue.client();
    let listening = 0;
    const wake = () => {
      listening += 1;
      runner.wake();
    };
    await listener.listen(JOBS_CHANNEL, () => {}, wake);
    await queue.add();
    runner.wake();
    await eventually(() => queue.isEmpty());
    // As a job that was queued while no runner listened.
    await queue.sql`insert into jobs (id, kind, payload, max_attempts)
      values (${Bun.randomUUIDv7()}, 'sweep', '{}', 3)`;
    await cut();
    await eventually(() => queue.isEmpty().catch(() => false));
    await eventually(async () => listening === 2);
  });

  test("do not make work that was done be done again", async () => {
    let ran = 0;
    const sweep = async () => {
      ran += 1;
      await cut();
    };
    await queue.add();
    await queue.runner({ sweep }, { pollSeconds: 0.05 }, DEAF);
    await eventually(() => queue.isEmpty().catch(() => false));
    expect(ran).toBe(1);
  });
});
