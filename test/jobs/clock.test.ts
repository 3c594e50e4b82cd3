import { afterAll, afterEach, beforeAll, expect, setSystemTime, test } from "bun:test";
import { enqueuePeriodicJobs } from "../../src/jobs-queue/schedule.ts";
import { Queue } from "./support.ts";
import { eventually } from "../support/wait.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

afterEach(() => void setSystemTime());

const HOUR_MS = 3_600_000;
// A day back, and a day ahead: longer than any lease, delay or period.
for (const hours of [-24, 24]) {
  const shift = () => setSystemTime(new Date(Date.now() + hours * HOUR_MS));
  const clock = `a process' clock that is ${hours} hours off`;

  test(`${clock} does not put off what is due`, async () => {
    shift();
    await queue.add();
    setSystemTime();
    expect((await queue.rows())[0]?.in_seconds).toBeWithin(-5, 0);
  });

  test(`${clock} takes nothing early`, async () => {
    await queue.add({ inSeconds: 60 });
    await queue.add();
    shift();
    await queue.runner({ sweep: async () => {} });
    await eventually(async () => (await queue.rows()).length === 1);
    expect(await queue.rows()).toMatchObject([{ attempts: 0, locked_by: null }]);
  });

  test(`${clock} leaves a lease as long as it is`, async () => {
    let aborted = 0;
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const sweep = (_: object, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener("abort", () => aborted++);
      shift();
      return hold;
    };
    await queue.add();
    // Longer than a busy machine may hold up the process, which would then have lost it.
    await queue.runner({ sweep }, { leaseSeconds: 2 });
    await eventually(async () => {
      const [row] = await queue.sql`
        select locked_until > created_at + interval '2.5 seconds' as longer from jobs`;
      return row?.longer === true;
    });
    release();
    await eventually(() => queue.isEmpty());
    expect(aborted).toBe(0);
  });

  test(`${clock} does not move a schedule`, async () => {
    const hourly = { sweep: { run: async () => {}, everyMinutes: 60 } };
    await enqueuePeriodicJobs(queue.database.db, hourly);
    await queue.sql`delete from jobs`;
    shift();
    await enqueuePeriodicJobs(queue.database.db, hourly);
    expect(await queue.rows()).toHaveLength(0);
  });
}
