import { expect, test } from "bun:test";
import { openClient } from "../../src/database/connect.ts";
import { emptyDatabase } from "../support/database.ts";

test("a pool runs queries in the order of their calls", async () => {
  const pool = openClient(await emptyDatabase(), 1);
  const order = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const [row] = await pool<
        { at: number }[]
      >`select extract(epoch from clock_timestamp())::float8 as at`;
      return row?.at ?? 0;
    }),
  );
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  await pool.end();
});

test("a pool queries over the connection that was used last", async () => {
  const pool = openClient(await emptyDatabase(), 5);
  await Promise.all(Array.from({ length: 5 }, () => pool`select pg_sleep(0.05)`));
  const pids = new Set<number>();
  for (let i = 0; i < 6; i++) {
    const [row] = await pool<{ pid: number }[]>`select pg_backend_pid() as pid`;
    pids.add(row?.pid ?? 0);
  }
  // The others are closed when they have idled for long enough.
  expect(pids.size).toBe(1);
  await pool.end();
});
