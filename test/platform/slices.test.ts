import { expect, test } from "bun:test";
import { Slices } from "../../src/platform/concurrency/slices.ts";
import {
  chargeTokens,
  createBucket,
  secondsToToken,
  takeToken,
} from "../../src/platform/concurrency/token-bucket.ts";

/** Counts the turns that others have until the work is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return turns;
}

const block = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

test("long work leaves others a turn after each long step, and adds up what it has used", async () => {
  const slices = new Slices();
  const steps = Array.from({ length: 20 }, (_, i) => i);
  const work = slices.map(steps, (i) => {
    block(5);
    return i;
  });
  expect(await countTurns(work)).toBeGreaterThanOrEqual(20);
  expect(await work).toEqual(steps);
  expect(slices.usedMs).toBeGreaterThanOrEqual(100);
});

test("two of them never have the same turn", async () => {
  const busy = (slices: Slices) => slices.map([1, 2, 3, 4, 5], () => block(5));
  const both = Promise.all([busy(new Slices()), busy(new Slices())]);
  expect(await countTurns(both)).toBeGreaterThanOrEqual(10);
});

test("a bucket that is charged for work owes tokens until time has filled it", () => {
  const rate = { perSecond: 5, burst: 20 };
  const bucket = createBucket(rate, 0);
  expect(takeToken(bucket, rate, 0)).toBe(true);
  chargeTokens(bucket, rate, 29, 0);
  expect(takeToken(bucket, rate, 0)).toBe(false);
  expect(secondsToToken(bucket, rate)).toBe(3);
  expect(takeToken(bucket, rate, 2_100)).toBe(false);
  expect(takeToken(bucket, rate, 2_200)).toBe(true);
});
