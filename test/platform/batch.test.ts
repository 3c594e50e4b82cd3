import { describe, expect, test } from "bun:test";
import { Batch, LOCKED } from "../../src/platform/concurrency/batch.ts";

/** A write that a test finishes by hand. */
function controlled() {
  const writes: {
    items: number[];
    finish(results: (string | Error)[]): void;
    fail(e: Error): void;
  }[] = [];
  const write = (items: number[]) =>
    new Promise<(string | Error)[]>((finish, fail) => void writes.push({ items, finish, fail }));
  return { writes, write };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a batch", () => {
  test("writes a lone item alone and at once", () => {
    const { writes, write } = controlled();
    void new Batch(write).add(1);
    expect(writes.map((w) => w.items)).toEqual([[1]]);
  });

  test("writes together what arrived while a write was in flight, in order", async () => {
    const { writes, write } = controlled();
    const batch = new Batch(write);
    const results = [1, 2, 3].map((item) => batch.add(item));
    expect(writes).toHaveLength(1);
    writes[0]?.finish(["one"]);
    await settle();
    expect(writes[1]?.items).toEqual([2, 3]);
    writes[1]?.finish(["two", "three"]);
    expect(await Promise.all(results)).toEqual(["one", "two", "three"]);
  });

  test("fails an item alone", async () => {
    const { writes, write } = controlled();
    const batch = new Batch(write);
    void batch.add(0);
    const bad = batch.add(1);
    const good = batch.add(2);
    writes[0]?.finish(["zero"]);
    await settle();
    writes[1]?.finish([new Error("no"), "two"]);
    await expect(bad).rejects.toThrow("no");
    expect(await good).toBe("two");
  });

  test("fails all items of a write that throws, and goes on with the next", async () => {
    const { writes, write } = controlled();
    const batch = new Batch(write);
    const first = batch.add(1);
    const second = batch.add(2);
    writes[0]?.fail(new Error("away"));
    await expect(first).rejects.toThrow("away");
    await settle();
    writes[1]?.finish(["two"]);
    expect(await second).toBe("two");
  });

  test("starts a second write when many wait, without keys of the first", async () => {
    const { writes, write } = controlled();
    const keyOf = (item: number) => `${item % 10}`;
    const batch = new Batch(write, { secondWriteAt: 3, keyOf });
    const results = [10, 20, 11, 12, 21, 30].map((item) => batch.add(item));
    expect(writes.map((w) => w.items)).toEqual([[10], [11, 12]]);
    writes[1]?.finish(["11", "12"]);
    await settle();
    // Three wait, two of the key that is still being written.
    expect(writes.map((w) => w.items)).toEqual([[10], [11, 12], [21]]);
    writes[0]?.finish(["10"]);
    await settle();
    writes[2]?.finish(["21"]);
    await settle();
    expect(writes[3]?.items).toEqual([20, 30]);
    writes[3]?.finish(["20", "30"]);
    expect(await Promise.all(results)).toEqual(["10", "20", "11", "12", "21", "30"]);
    await batch.idle();
  });

  test("keeps to its limit of items in a write", async () => {
    const { writes, write } = controlled();
    const batch = new Batch(write, { maxItemsPerWrite: 2 });
    for (let item = 0; item < 6; item++) void batch.add(item);
    writes[0]?.finish(["0"]);
    await settle();
    writes[1]?.finish(["1", "2"]);
    await settle();
    expect(writes.map((w) => w.items)).toEqual([[0], [1, 2], [3, 4]]);
  });

  test("is idle when everything is written", async () => {
    const { writes, write } = controlled();
    const batch = new Batch(write);
    await batch.idle();
    void batch.add(1);
    let idle = false;
    const waiting = batch.idle().then(() => (idle = true));
    await settle();
    expect(idle).toBe(false);
    writes[0]?.finish(["one"]);
    await waiting;
    expect(idle).toBe(true);
  });

  test("writes an item of a held key apart, in order, while others go on", async () => {
    const { writes, write } = controlled();
    const batch = new Batch(write, { keyOf: (item: number) => `${item % 10}` });
    const first = batch.add(11);
    const behind = batch.add(21);
    writes[0]?.finish([LOCKED]);
    await settle();
    const other = batch.add(12);
    const last = batch.add(31);
    // Apart: what was handed back and what waited behind it.
    expect(writes.map((w) => w.items)).toEqual([[11], [11, 21], [12]]);
    writes[2]?.finish(["12"]);
    expect(await other).toBe("12");
    expect(writes).toHaveLength(3);
    let isIdle = false;
    void batch.idle().then(() => (isIdle = true));
    await settle();
    expect(isIdle).toBe(false);
    writes[1]?.finish(["11", "21"]);
    expect(await Promise.all([first, behind])).toEqual(["11", "21"]);
    await settle();
    expect(writes[3]?.items).toEqual([31]);
    writes[3]?.finish(["31"]);
    expect(await last).toBe("31");
    await settle();
    expect(isIdle).toBe(true);
  });

  test("refuses items above its limits, until some are written", async () => {
    const { writes, write } = controlled();
    const limits = { maxItems: 3, maxBytes: 100, sizeOf: (item: number) => item };
    const batch = new Batch(write, limits);
    const taken = [40, 40].map((item) => batch.add(item));
    await expect(batch.add(40)).rejects.toMatchObject({
      code: "unavailable",
      extensions: { retryAfter: 1 },
    });
    taken.push(batch.add(20));
    await expect(batch.add(0)).rejects.toMatchObject({ code: "unavailable" });
    writes[0]?.finish(["first"]);
    await settle();
    taken.push(batch.add(0));
    writes[1]?.finish(["second", "third"]);
    await settle();
    writes[2]?.finish(["fourth"]);
    expect(await Promise.all(taken)).toEqual(["first", "second", "third", "fourth"]);
  });
});
