import { describe, expect, test } from "bun:test";
import { Coalescer, type CoalesceOptions } from "../../src/platform/concurrency/coalesce.ts";
import { eventually } from "../support/wait.ts";

/** A coalescer whose runs a test ends by hand. */
function controlled(options: CoalesceOptions = {}) {
  const runs: { items: number[]; end(): void; fail(error: Error): void }[] = [];
  const coalescer = new Coalescer<number>(
    (items) => new Promise((end, fail) => void runs.push({ items, end, fail })),
    options,
  );
  return { runs, coalescer, taken: () => runs.map(({ items }) => items) };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a coalescer", () => {
  test("runs at once, with everything that was added in the same turn", async () => {
    const { coalescer, taken } = controlled();
    for (const item of [1, 2]) coalescer.add(item);
    await settle();
    expect(taken()).toEqual([[1, 2]]);
  });

  test("has one run in flight, and passes what was added meanwhile to the next, each once", async () => {
    const { coalescer, runs, taken } = controlled();
    coalescer.add(1);
    await settle();
    for (const item of [2, 3, 2, 1]) coalescer.add(item);
    await settle();
    expect(taken()).toEqual([[1]]);
    runs[0]?.end();
    await settle();
    expect(taken()).toEqual([[1], [2, 3, 1]]);
  });

  test("passes at most its limit to a run, in order", async () => {
    const { coalescer, runs, taken } = controlled({ maxItems: 2 });
    for (const item of [1, 2, 3, 4, 5]) coalescer.add(item);
    for (const run of [0, 1]) {
      await settle();
      runs[run]?.end();
    }
    await settle();
    expect(taken()).toEqual([[1, 2], [3, 4], [5]]);
  });

  test("refuses above its limit, until some have run", async () => {
    const { coalescer } = controlled({ maxWaiting: 2 });
    expect([1, 2, 3].map((item) => coalescer.add(item))).toEqual([true, true, false]);
    await settle();
    expect(coalescer.add(3)).toBe(true);
  });

  test("goes on after a run that failed", async () => {
    const { coalescer, runs, taken } = controlled();
    coalescer.add(1);
    await settle();
    coalescer.add(2);
    runs[0]?.fail(new Error("no"));
    await settle();
    expect(taken()).toEqual([[1], [2]]);
  });

  test("waits for its delay, which a flush cuts short", async () => {
    const { coalescer, runs, taken } = controlled({ delayMs: 30_000 });
    coalescer.add(1);
    await settle();
    expect(taken()).toEqual([]);
    const flushed = coalescer.flush();
    await settle();
    coalescer.add(2);
    runs[0]?.end();
    await settle();
    runs[1]?.end();
    await flushed;
    expect(taken()).toEqual([[1], [2]]);
  });

  test("keeps an interval between runs, the first of which begins at once", async () => {
    const { coalescer, runs, taken } = controlled({ intervalMs: 40 });
    const started = performance.now();
    coalescer.add(1);
    await settle();
    coalescer.add(2);
    runs[0]?.end();
    await settle();
    expect(taken()).toEqual([[1]]);
    await eventually(() => runs.length >= 2);
    expect(performance.now() - started).toBeGreaterThanOrEqual(39);
    expect(taken()).toEqual([[1], [2]]);
  });

  test("stops: drops what waits, waits for the run in flight, and accepts nothing more", async () => {
    const { coalescer, runs, taken } = controlled();
    coalescer.add(1);
    await settle();
    coalescer.add(2);
    let isStopped = false;
    const stopped = coalescer.stop().then(() => (isStopped = true));
    await settle();
    expect(isStopped).toBe(false);
    expect(coalescer.add(3)).toBe(false);
    runs[0]?.end();
    await stopped;
    await settle();
    expect(taken()).toEqual([[1]]);
  });
});
