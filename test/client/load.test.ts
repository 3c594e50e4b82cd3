import { beforeEach, expect, test } from "bun:test";
import { ApiError } from "../../public/app/connection/api.ts";
import { Load } from "../../public/app/state/load.ts";
import { passTurn, ScriptedClock } from "../support/scripted.ts";

type Request = { resolve(answer: string): void; reject(error: Error): void; signal: AbortSignal };

let clock: ScriptedClock;
let requests: Request[];
let landed: string[];
let load: Load<string>;
beforeEach(() => {
  clock = new ScriptedClock();
  requests = [];
  landed = [];
  load = new Load<string>({
    clock,
    fetch(signal) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      requests.push({ resolve, reject, signal });
      return promise;
    },
    merge: (answer) => void landed.push(answer),
  });
});

const answer = (n: number, text: string) => passTurn(() => requests[n]?.resolve(text));
const fail = (n: number, status: number) =>
  passTurn(() => requests[n]?.reject(new ApiError("unavailable", "", status)));

test("one request is under way, and one more follows for all who asked meanwhile", async () => {
  for (let n = 0; n < 3; n++) load.refresh();
  expect(requests).toHaveLength(1);
  await answer(0, "first");
  expect(requests).toHaveLength(2);
  await answer(1, "second");
  expect([landed, requests.length]).toEqual([["first", "second"], 2]);
});

test("the answer to a request that was given up does not land", async () => {
  load.refresh();
  load.refreshNow();
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  await answer(1, "newer");
  await answer(0, "older");
  expect(landed).toEqual(["newer"]);
});

test("the failure of a request that was given up repeats nothing", async () => {
  load.refresh();
  load.refreshNow();
  await answer(1, "newer");
  await fail(0, 503);
  await clock.pass(60_000);
  expect(requests).toHaveLength(2);
});

test("a failed request is repeated, later each time, until it is answered", async () => {
  load.refresh();
  const waits = [1, 2, 4, 8, 16, 20, 20].map((seconds) => seconds * 1_000);
  for (const [n, ms] of waits.entries()) {
    await fail(n, 503);
    await clock.pass(ms - 1);
    expect(requests).toHaveLength(n + 1);
    await clock.pass(1);
    expect(requests).toHaveLength(n + 2);
  }
  await answer(waits.length, "at last");
  await clock.pass(60_000);
  expect([landed, requests.length]).toEqual([["at last"], waits.length + 1]);
  load.refresh();
  await fail(waits.length + 1, 503);
  await clock.pass(1_000);
  expect(requests).toHaveLength(waits.length + 3);
});

test("a refused request is not repeated, unless someone has asked meanwhile", async () => {
  load.refresh();
  await fail(0, 404);
  await clock.pass(60_000);
  expect(requests).toHaveLength(1);
  load.refresh();
  load.refresh();
  await fail(1, 404);
  expect(requests).toHaveLength(3);
});

test("nothing is repeated or lands after it was cancelled", async () => {
  load.refresh();
  await fail(0, 503);
  load.cancel();
  await clock.pass(60_000);
  load.refresh();
  load.cancel();
  await answer(1, "late");
  expect([landed, requests.length]).toEqual([[], 2]);
});
