import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { forever, Queue } from "./support.ts";
import { eventually } from "../support/wait.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

/** Waits for the handler: a job that is claimed but not begun when a stop comes is returned. */
async function startJob(work: Promise<void>) {
  const begun = Promise.withResolvers<void>();
  const runner = await queue.runner({
    sweep: () => {
      begun.resolve();
      return work;
    },
  });
  await queue.add();
  await begun.promise;
  return runner;
}

describe("a stop", () => {
  test("gives unfinished jobs back at once, and no try is counted", async () => {
    const runner = await queue.runner({ sweep: forever });
    await queue.add();
    await eventually(() => queue.isRunning());
    await runner.stop();
    const rows = await queue.rows();
    expect(rows).toMatchObject([{ attempts: 0, locked_by: null, failed: false, last_error: null }]);
    expect(rows[0]?.in_seconds).toBeLessThanOrEqual(0);
  });

  test("notifies the other runners, which claim what was returned", async () => {
    const runner = await queue.runner({ sweep: forever });
    await queue.add();
    await eventually(() => queue.isRunning());
    await queue.runner({ sweep: async () => {} }, { pollSeconds: 60 });
    await runner.stop();
    await eventually(() => queue.isEmpty());
  });

  test("aborts what runs", async () => {
    const aborted = Promise.withResolvers<void>();
    const runner = await queue.runner({
      sweep: (_, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve(), { once: true });
        return forever();
      },
    });
    await queue.add();
    await eventually(() => queue.isRunning());
    await Promise.all([runner.stop(), aborted.promise]);
  });

  test("waits for what ends in time, and for no longer", async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const runner = await startJob(hold);
    const stopped = runner.stop(60_000);
    for (let look = 0; look < 20; look++) expect(await queue.isRunning()).toBe(true);
    release();
    await stopped;
    expect(await queue.isEmpty()).toBe(true);
  });

  test("leaves a job that has failed meanwhile as one that failed", async () => {
    const { promise: hold, reject } = Promise.withResolvers<void>();
    const runner = await startJob(hold);
    const stopped = runner.stop(60_000);
    reject(new Error("no"));
    await stopped;
    expect(await queue.rows()).toMatchObject([{ attempts: 1, last_error: "no", locked_by: null }]);
  });

  test("takes nothing more", async () => {
    const runner = await queue.runner({ sweep: forever });
    await runner.stop();
    await queue.add();
    runner.wake();
    // A job that it had claimed would have been returned by now.
    await runner.stop();
    expect(await queue.rows()).toMatchObject([{ attempts: 0, locked_by: null }]);
  });

  test("while it is taking jobs begins none of them", async () => {
    for (let n = 0; n < 5; n++) await queue.add();
    let begun = 0;
    const runner = await queue.runner({
      sweep: () => {
        begun += 1;
        return forever();
      },
    });
    await runner.stop(60_000);
    expect(begun).toBe(0);
    const taken = (await queue.rows()).filter((row) => row.attempts > 0 || row.locked_by);
    expect(taken).toEqual([]);
  });
});
