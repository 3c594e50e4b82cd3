import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHandlers } from "../../jobs/handlers.ts";
import { type Period, tick } from "../../src/jobs-queue/schedule.ts";
import { createRoom } from "../../src/rooms/change.ts";
import { eventually, Queue } from "./support.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

const PERIODS: Period[] = [{ kind: "sweep", payload: {}, minutes: 60 }];

describe("what is done every so often", () => {
  test("is queued once, however many instances tick at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => tick(queue.database, PERIODS)));
    expect(await queue.rows()).toHaveLength(1);
    await queue.sql`delete from jobs`;
    await tick(queue.database, PERIODS);
    expect(await queue.rows()).toHaveLength(0);
  });

  test("is due once after a long stop, and then a period later", async () => {
    await tick(queue.database, PERIODS);
    await queue.sql`delete from jobs`;
    await queue.sql`update schedules set next_at = clock_timestamp() - interval '3 days'`;
    await tick(queue.database, PERIODS);
    await tick(queue.database, PERIODS);
    expect(await queue.rows()).toHaveLength(1);
    const [row] = await queue.sql<{ minutes: number }[]>`
      select extract(epoch from next_at - clock_timestamp())::float8 / 60 as minutes from schedules`;
    expect(row?.minutes).toBeGreaterThan(59);
    expect(row?.minutes).toBeLessThanOrEqual(60);
  });
});

const { signal } = new AbortController();

test("prune_log deletes what is older than 30 days, and leaves the rest", async () => {
  const owner = Bun.randomUUIDv7();
  await queue.sql`insert into users (id, username, email) values (${owner}, 'owner', 'o@example.org')`;
  const roomId = await createRoom(queue.database.db, owner, { name: "old", privacy: "open" });
  await queue.sql`insert into room_log (room_id, seq, type, created_at)
    select ${roomId}::uuid, n, 'room_updated', clock_timestamp() - interval '31 days'
    from generate_series(2, 6001) as n`;
  await createHandlers(queue.sql).prune_log({}, { attempt: 1, signal });
  const rows = await queue.sql<
    { seq: number }[]
  >`select seq from room_log where room_id = ${roomId}`;
  expect(rows.map((row) => row.seq)).toEqual([1]);
});

test("sweep deletes what has expired, and leaves the rest", async () => {
  const user = Bun.randomUUIDv7();
  const hash = () => Buffer.from(Bun.randomUUIDv7());
  await queue.sql`insert into users (id, username, email) values (${user}, 'u', 'u@example.org')`;
  for (const [table, kept] of [
    ["live", "1 hour"],
    ["dead", "-1 hour"],
  ] as const) {
    await queue.sql`insert into sessions (id, user_id, token_hash, user_agent, expires_at)
      values (${Bun.randomUUIDv7()}, ${user}, ${hash()}, ${table}, clock_timestamp() + ${kept}::interval)`;
    await queue.sql`insert into rate_limits (key, count, expires_at)
      values (${table}, 1, clock_timestamp() + ${kept}::interval)`;
  }
  await queue.sql`insert into invites (id, token_hash, expires_at) values
    (${Bun.randomUUIDv7()}, ${hash()}, clock_timestamp() - interval '1 day'),
    (${Bun.randomUUIDv7()}, ${hash()}, clock_timestamp() - interval '31 days')`;
  await createHandlers(queue.sql).sweep({}, { attempt: 1, signal });
  const sessions = await queue.sql<{ name: string }[]>`select user_agent as name from sessions`;
  const limits = await queue.sql<{ name: string }[]>`select key as name from rate_limits`;
  expect([sessions.map((row) => row.name), limits.map((row) => row.name)]).toEqual([
    ["live"],
    ["live"],
  ]);
  expect(await queue.sql`select id from invites`).toHaveLength(1);
});

test("a service keeps its schedule and runs its jobs", async () => {
  const { startService } = await import("../../src/service.ts");
  const { testConfig } = await import("../support/world.ts");
  const service = await startService(testConfig(), queue.target);
  await eventually(async () => {
    const names = await queue.sql<{ name: string }[]>`select name from schedules`;
    return names.length === 2 && (await queue.rows()).length === 0;
  });
  await service.stop();
});
