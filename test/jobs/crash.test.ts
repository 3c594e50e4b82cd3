import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { urlOf } from "../support/database.ts";
import { Queue } from "./support.ts";
import { eventually } from "../support/wait.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

test("a process that is killed in the middle of a job loses it to another", async () => {
  await queue.add();
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "crash-process.ts"), urlOf(queue.target)],
    { stdout: "pipe", stderr: "inherit" },
  );
  // It says so from inside the handler.
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("attempt 1\n");
  const { promise, resolve } = Promise.withResolvers<number>();
  await queue.runner({ sweep: async (_, { attempt }) => resolve(attempt) });
  expect(await queue.isRunning()).toBe(true);
  child.kill("SIGKILL");
  await child.exited;
  expect(await promise).toBe(2);
  await eventually(() => queue.isEmpty());
});
