import { describe, expect, test } from "bun:test";
import { InstanceRows } from "../../src/presence/presence.ts";
import { eventually } from "../support/wait.ts";

/** A table of keys whose writes a test lets through one by one. */
function heldTable() {
  const table = new Set<string>();
  const writes: (() => void)[] = [];
  const rows = new InstanceRows(async (added, removed) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    writes.push(resolve);
    await promise;
    for (const key of added) table.add(key);
    for (const key of removed) table.delete(key);
  });
  /** Waits until a write is under way. */
  const writing = () => eventually(() => writes.length > 0);
  const letThrough = async () => {
    await writing();
    writes.shift()?.();
  };
  return { table, rows, writing, letThrough };
}

describe("rows that are written together", () => {
  test("a row that is being removed is not written again when the table was emptied", async () => {
    const { table, rows, writing, letThrough } = heldTable();
    rows.add("stays");
    rows.add("goes");
    await letThrough();
    await eventually(() => table.size >= 2);
    rows.remove("goes");
    await writing();
    // The heartbeat finds the table empty while the removal is under way.
    table.clear();
    const rewritten = rows.rewrite();
    await letThrough();
    await letThrough();
    await rewritten;
    await rows.stop();
    expect([...table]).toEqual(["stays"]);
  });

  test("a row whose removal was committed but failed after that is written again", async () => {
    const table = new Set<string>();
    let failures = 1;
    const rows = new InstanceRows(async (added, removed) => {
      for (const key of added) table.add(key);
      for (const key of removed) table.delete(key);
      if (removed.length > 0 && failures-- > 0) throw new Error("the connection was lost");
    });
    rows.add("person");
    await eventually(() => table.has("person"));
    rows.remove("person");
    await eventually(() => !table.has("person"));
    // They connect again before the removal is retried.
    rows.add("person");
    await eventually(() => table.has("person"));
    await rows.stop();
  });
});
