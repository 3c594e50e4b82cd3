import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";

type Queue = { length: number; push(x: object): void; shift(): object; remove(x: object): void };
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
