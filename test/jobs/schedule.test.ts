import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { enqueuePeriodicJobs, startSchedule } from "../../src/jobs-queue/schedule.ts";
import { startService } from "../../src/service.ts";
import { testConfig } from "../support/world.ts";
import { Queue } from "./support.ts";
import { eventually } from "../support/wait.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

const HOURLY = { sweep: { run: async () => {}, everyMinutes: 60 } };
const tick = () => enqueuePeriodicJobs(queue.database.db, HOURLY);

/** Minutes until the next period. */
async function left(): Promise<number> {
  const [row] = await queue.sql<{ minutes: number }[]>`
    select extract(epoch from next_at - clock_timestamp())::float8 / 60 as minutes from schedules`;
  return row?.minutes ?? Number.NaN;
}

describe("a periodic job", () => {
  test("is queued once in a period, however many instances check at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => tick()));
    expect(await queue.rows()).toHaveLength(1);
  });

  test("is queued once in a period, also if it is done before other instances check", async () => {
    await tick();
    await queue.sql`delete from jobs`;
    await tick();
    expect(await queue.rows()).toHaveLength(0);
  });

  test("is queued again in the next period", async () => {
    await tick();
    await queue.sql`delete from jobs`;
    await queue.sql`update schedules set next_at = next_at - interval '1 hour'`;
    await Promise.all(Array.from({ length: 8 }, () => tick()));
    expect(await queue.rows()).toHaveLength(1);
  });

  test("is not queued beside one that is not finished", async () => {
    await tick();
    await queue.sql`update schedules set next_at = next_at - interval '1 hour'`;
    await tick();
    expect(await queue.rows()).toHaveLength(1);
  });

  test("is due once after a long stop, and then at its usual time", async () => {
    await tick();
    await queue.sql`delete from jobs`;
    await queue.sql`update schedules set next_at = clock_timestamp() - interval '72.5 hours'`;
    await tick();
    await tick();
    expect(await queue.rows()).toHaveLength(1);
    expect(await left()).toBeWithin(29, 30.01);
  });

  test("does not drift with the time of a check", async () => {
    await tick();
    await queue.sql`update schedules set next_at = clock_timestamp() - interval '50 seconds'`;
    await tick();
    expect(await left()).toBeWithin(59, 59.2);
  });

  test("is queued when a process starts, and a stop waits for the check", async () => {
    const stop = startSchedule(queue.database.db, HOURLY);
    await stop();
    expect(await queue.rows()).toHaveLength(1);
  });
});

const PERIODIC_JOBS =
  "free_uploads missed_mentions note_silence prune_deliveries prune_kept prune_log prune_previews " +
  "prune_thread_follows second_factor_grace sweep";
test("a service keeps its schedule and runs its jobs", async () => {
  const service = await startService(testConfig(), queue.target);
  await eventually(async () => {
    const rows = await queue.sql<{ name: string }[]>`select name from schedules order by name`;
    const names = rows.map(({ name }) => name).join(" ");
    return names === PERIODIC_JOBS && (await queue.isEmpty());
  });
  await service.stop();
});
