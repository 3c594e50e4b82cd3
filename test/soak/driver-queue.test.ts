import { expect, test } from "bun:test";
import type { Sql } from "postgres";
import { openClient } from "../../src/database/connect.ts";
import { emptyDatabase } from "../support/database.ts";

/** The CPU time of so many queries, in microseconds. */
async function measureQueries(pool: Sql, count: number): Promise<number> {
  let left = count;
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (left-- > 0) await pool`select 1`;
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test("a query of a pool that is never idle costs what it did at first", async () => {
  const pool = openClient(await emptyDatabase(), 2);
  await measureQueries(pool, 2_000);
  const stop = new AbortController();
  const others = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) await pool`select 1`;
  });
  const first = await measureQueries(pool, 2_000);
  // The driver's queue before its patch takes six times as long by then, and twice as long after 100,000.
  await measureQueries(pool, 200_000);
  const last = await measureQueries(pool, 2_000);
  stop.abort();
  await Promise.all(others);
  expect(last / first).toBeLessThan(2);
  await pool.end();
}, 300_000);
