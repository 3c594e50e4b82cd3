import { describe, expect, test } from "bun:test";
import { FairSemaphore } from "../../src/platform/concurrency/semaphore.ts";

/** Work that runs until it is released, and the names of what runs. */
function createWork() {
  const started: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => gates.set(name, resolve));
  };
  const finish = async (name: string) => {
    gates.get(name)?.();
    await Bun.sleep(0);
  };
  return { started, work, finish };
}

describe("a fair semaphore", () => {
  test("leaves half of the permits to other keys", () => {
    const semaphore = new FairSemaphore({ permits: 4 });
    expect([1, 2, 3].map(() => semaphore.tryAcquire(["a"]))).toEqual([true, true, false]);
    expect(semaphore.tryAcquire(["b"])).toBe(true);
    expect(semaphore.tryAcquire(["b"])).toBe(false);
    expect(semaphore.tryAcquire(["c"])).toBe(true);
    expect(semaphore.tryAcquire(["d"])).toBe(false);
    semaphore.release(["a"]);
    expect(semaphore.tryAcquire(["d"])).toBe(true);
  });

  test("needs a permit for each key of the work", () => {
    const semaphore = new FairSemaphore({ permits: 4 });
    semaphore.forceAcquire(["host"]);
    semaphore.forceAcquire(["host"]);
    expect(semaphore.tryAcquire(["host", "user"])).toBe(false);
    expect(semaphore.tryAcquire(["other", "user"])).toBe(true);
  });

  test("runs work of other keys while one waits, and each key in order", async () => {
    const semaphore = new FairSemaphore({ permits: 2 });
    const { started, work, finish } = createWork();
    const all = [
      semaphore.run(["a"], work("a1")),
      semaphore.run(["a"], work("a2")),
      semaphore.run(["a"], work("a3")),
      semaphore.run(["b"], work("b1")),
    ];
    await Bun.sleep(0);
    expect(started).toEqual(["a1", "b1"]);
    for (const name of ["a1", "b1", "a2", "a3"]) await finish(name);
    await Promise.all(all);
    expect(started).toEqual(["a1", "b1", "a2", "a3"]);
  });

  test("runs heavy work without a key in its turn", async () => {
    const semaphore = new FairSemaphore({ permits: 4 });
    const { started, work, finish } = createWork();
    const all = [
      semaphore.run([], work("light"), 1),
      semaphore.run([], work("heavy"), 4),
      semaphore.run([], work("late"), 1),
    ];
    await Bun.sleep(0);
    expect(started).toEqual(["light"]);
    await finish("light");
    expect(started).toEqual(["light", "heavy"]);
    await finish("heavy");
    expect(started).toEqual(["light", "heavy", "late"]);
    await finish("late");
    await Promise.all(all);
  });

  test("rejects work that waits for too long, and starts what was behind it", async () => {
    const busyError = () => new Error("busy");
    const semaphore = new FairSemaphore({ permits: 2, waitMs: 20, busyError });
    const { started, work, finish } = createWork();
    const first = semaphore.run([], work("first"));
    const heavy = semaphore.run([], work("heavy"), 2);
    const light = Bun.sleep(10).then(() => semaphore.run([], work("light")));
    await expect(heavy).rejects.toThrow("busy");
    await Bun.sleep(0);
    expect(started).toEqual(["first", "light"]);
    await finish("first");
    await finish("light");
    await Promise.all([first, light]);
  });

  test("rejects more waiting work at once, and limits each key", async () => {
    const busyError = () => new Error("busy");
    const semaphore = new FairSemaphore({ maxPerKey: 1, maxWaiting: 0, busyError });
    const { started, work, finish } = createWork();
    const first = semaphore.run(["a"], work("a"));
    await expect(semaphore.run(["a"], work("more"))).rejects.toThrow("busy");
    const other = semaphore.run(["b"], work("b"));
    expect(started).toEqual(["a", "b"]);
    await finish("a");
    await finish("b");
    await Promise.all([first, other]);
    expect(semaphore.tryAcquire(["a"])).toBe(true);
  });

  test("releases the permit of work that failed", async () => {
    const semaphore = new FairSemaphore({ permits: 1 });
    const failed = semaphore.run([], () => Promise.reject(new Error("broken")));
    await expect(failed).rejects.toThrow("broken");
    expect(semaphore.tryAcquire([])).toBe(true);
  });
});
