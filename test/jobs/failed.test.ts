import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { COMMAND_LINE } from "../../src/audit/write.ts";
import { readFailedJobs, retryFailedJob } from "../../src/jobs-queue/failed.ts";
import { MAX_COUNTED, readQueueDepth } from "../../src/jobs-queue/queue.ts";
import { forever, Queue } from "./support.ts";
import { eventually } from "../support/wait.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

/** @returns the id of a job that is out of attempts */
async function failed(key?: string): Promise<string> {
  await queue.add({ key });
  const [row] = await queue.sql<{ id: string }[]>`
    update jobs set failed_at = clock_timestamp(), attempts = 8, last_error = 'no'
    where failed_at is null returning id`;
  return row?.id ?? "";
}
const retry = (id: string) =>
  queue.database.db.transaction((tx) => retryFailedJob(tx, COMMAND_LINE, id));

describe("failed jobs", () => {
  test("are listed a page at a time, the last first", async () => {
    const ids = [await failed(), await failed(), await failed()];
    await queue.add();
    const first = await readFailedJobs(queue.database.db, { limit: 2 });
    const second = await readFailedJobs(queue.database.db, { limit: 2, cursor: first.next ?? "" });
    expect([...first.items, ...second.items].map((row) => row.id)).toEqual(ids.reverse());
    expect(second.next).toBeNull();
    expect(first.items[0]).toEqual({
      id: ids[0] ?? "",
      kind: "sweep",
      attempts: 8,
      max_attempts: 8,
      last_error: "no",
      created_at: expect.any(String),
      failed_at: expect.any(String),
    });
  });

  test("are retried at once with all their attempts", async () => {
    const id = await failed();
    const attempt = Promise.withResolvers<number>();
    await queue.runner({ sweep: async (_, context) => attempt.resolve(context.attempt) });
    await retry(id);
    expect(await attempt.promise).toBe(1);
    await eventually(() => queue.isEmpty());
  });

  test("are retried if the transaction commits", async () => {
    const id = await failed();
    const failing = queue.database.db.transaction(async (tx) => {
      await retryFailedJob(tx, COMMAND_LINE, id);
      throw new Error("no");
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("no");
    expect(await queue.rows()).toMatchObject([{ failed: true, attempts: 8 }]);
  });

  test("are replaced by a job with their key that was queued since, which is due now", async () => {
    const id = await failed("one");
    await queue.add({ key: "one", inSeconds: 60 });
    await retry(id);
    const rows = await queue.rows();
    expect(rows.map((row) => [row.id === id, row.failed])).toEqual([[false, false]]);
    expect(rows[0]?.in_seconds).toBeLessThanOrEqual(0);
  });

  test("do not include waiting ones", async () => {
    await queue.add();
    const [waiting] = await queue.rows();
    await expect(retry(waiting?.id ?? "")).rejects.toThrow("not_found");
  });
});

test("the queue depth counts waiting, running and failed jobs, and the age of the oldest", async () => {
  await failed();
  await queue.add();
  await queue.runner({ sweep: forever });
  await eventually(async () => (await readQueueDepth(queue.sql)).running === 1);
  await queue.sql`insert into jobs (id, kind, payload, max_attempts, run_at) values
    (${Bun.randomUUIDv7()}, 'of_tomorrow', '{}', 3, clock_timestamp() - interval '1 minute'),
    (${Bun.randomUUIDv7()}, 'of_tomorrow', '{}', 3, clock_timestamp() + interval '1 minute')`;
  const { age, ...counts } = await readQueueDepth(queue.sql);
  expect(counts).toEqual({ waiting: 2, running: 1, failed: 1 });
  expect(age).toBeWithin(59, 70);
});

test("the queue depth is counted up to a limit", async () => {
  const add = (failed_at: Date | null) => queue.sql`
    insert into jobs (id, kind, payload, max_attempts, failed_at)
    select gen_random_uuid(), 'of_tomorrow', '{}', 1, ${failed_at}
    from generate_series(1, ${MAX_COUNTED + 50})`;
  await add(null);
  await add(new Date());
  const { waiting, failed } = await readQueueDepth(queue.sql);
  expect({ waiting, failed }).toEqual({ waiting: MAX_COUNTED, failed: MAX_COUNTED });
});
