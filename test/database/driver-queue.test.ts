import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { openClient } from "../../src/database/connect.ts";
import { emptyDatabase } from "../support/database.ts";

type Queue = {
  length: number;
  push(x: object): void;
  pop(): object | undefined;
  shift(): object;
  remove(x: object): void;
};
const path = join(import.meta.dir, "../../node_modules/postgres/src/queue.js");
const { default: createQueue } = (await import(path)) as { default: () => Queue };

const { indexOf } = Array.prototype;
afterEach(() => {
  Array.prototype.indexOf = indexOf;
});

test("a queue of the driver that is never empty walks only what it still holds", () => {
  const queue = createQueue();
  const held = [{}, {}, {}];
  for (const one of held) queue.push(one);
  // As a pool does under load: what is first leaves, and something else comes in behind.
  for (let turn = 0; turn < 100_000; turn++) {
    held.push({});
    queue.push(held.at(-1) as object);
    expect(queue.shift() === held.shift()).toBe(true);
  }
  let walked = 0;
  Array.prototype.indexOf = function (...args: [unknown]) {
    walked = this.length;
    return indexOf.apply(this, args);
  };
  queue.remove(held[1] as object);
  Array.prototype.indexOf = indexOf;
  expect(walked).toBeWithin(3, 1_000);
  expect([queue.length, queue.shift() === held[0], queue.shift() === held[2]]).toEqual([
    2,
    true,
    true,
  ]);
});

test("a queue of the driver gives out what came last, and is empty after that", () => {
  const queue = createQueue();
  const [first, second, third] = [{}, {}, {}];
  for (const one of [first, second]) queue.push(one);
  expect(queue.shift() === first).toBe(true);
  queue.push(third);
  expect(queue.pop() === third).toBe(true);
  expect(queue.pop() === second).toBe(true);
  expect([queue.length, queue.pop()]).toEqual([0, undefined]);
  queue.push(first);
  expect([queue.length, queue.shift() === first]).toEqual([1, true]);
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
