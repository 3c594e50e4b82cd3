import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { PERIODS } from "../../jobs/handlers.ts";
import { type Period, startSchedule, tick } from "../../src/jobs-queue/schedule.ts";
import { startService } from "../../src/service.ts";
import { testConfig } from "../support/world.ts";
import { eventually, Queue } from "./support.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

const HOURLY: Period[] = [{ kind: "sweep", payload: {}, minutes: 60 }];

/** Minutes until the next period. */
async function left(): Promise<number> {
  const [row] = await queue.sql<{ minutes: number }[]>`
    select extract(epoch from next_at - clock_timestamp())::float8 / 60 as minutes from schedules`;
  return row?.minutes ?? Number.NaN;
}

describe("what is done every so often", () => {
  test("is queued once for a period, however many instances tick at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => tick(queue.database, HOURLY)));
    expect(await queue.rows()).toHaveLength(1);
  });

  test("is queued once for a period, also when its job is done before the others tick", async () => {
    await tick(queue.database, HOURLY);
    await queue.sql`delete from jobs`;
    await tick(queue.database, HOURLY);
    expect(await queue.rows()).toHaveLength(0);
  });

  test("is queued again for the next period", async () => {
    await tick(queue.database, HOURLY);
    await queue.sql`delete from jobs`;
    await queue.sql`update schedules set next_at = next_at - interval '1 hour'`;
    await Promise.all(Array.from({ length: 8 }, () => tick(queue.database, HOURLY)));
    expect(await queue.rows()).toHaveLength(1);
  });

  test("is not queued beside one that is not done yet", async () => {
    await tick(queue.database, HOURLY);
    await queue.sql`update schedules set next_at = next_at - interval '1 hour'`;
    await tick(queue.database, HOURLY);
    expect(await queue.rows()).toHaveLength(1);
  });

  test("is due once after a long stop, and then when it always was", async () => {
    await tick(queue.database, HOURLY);
    await queue.sql`delete from jobs`;
    await queue.sql`update schedules set next_at = clock_timestamp() - interval '72.5 hours'`;
    await tick(queue.database, HOURLY);
    await tick(queue.database, HOURLY);
    expect(await queue.rows()).toHaveLength(1);
    expect(await left()).toBeWithin(29, 30.01);
  });

  test("does not drift with the moment at which somebody ticks", async () => {
    await tick(queue.database, HOURLY);
    await queue.sql`update schedules set next_at = clock_timestamp() - interval '50 seconds'`;
    await tick(queue.database, HOURLY);
    expect(await left()).toBeWithin(59, 59.2);
  });

  test("is queued when a process starts, and its stop leaves no tick under way", async () => {
    const stop = startSchedule(queue.database, HOURLY);
    await stop();
    expect(await queue.rows()).toHaveLength(1);
  });
});

test("a service keeps its schedule and runs its jobs", async () => {
  const service = await startService(testConfig(), queue.target);
  await eventually(async () => {
    const names = await queue.sql`select name from schedules`;
    return names.length === PERIODS.length && (await queue.isEmpty());
  });
  await service.stop();
});
