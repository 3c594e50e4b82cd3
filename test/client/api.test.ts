import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Api, ApiError, createApi } from "../../public/app/connection/api.ts";
import { MuteServer } from "../support/mute.ts";
import { eventually } from "../support/wait.ts";

/** What a client waits for, which a test ends by itself. */
let timers: Map<() => void, number>;
const clock = {
  now: () => 0,
  after(ms: number, run: () => void) {
    timers.set(run, ms);
    return () => void timers.delete(run);
  },
};

let mute: MuteServer;
/** Begins each answer, and never ends one. */
let slow: Bun.Server<undefined>;
/** Called when the service has begun to answer. */
let onBegun: () => void;
beforeAll(async () => {
  mute = await MuteServer.open();
  slow = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const status = Number(new URL(request.url).pathname.split("/")[1]);
      const body = new ReadableStream({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode('{"code": '));
          await new Promise(() => {});
        },
      });
      return new Response(body, { status });
    },
  });
});
beforeEach(() => {
  timers = new Map();
});
afterAll(async () => {
  await mute.close();
  await slow.stop(true);
});

/** @param prefix of each path */
const open = (port: number | undefined, prefix = ""): Api =>
  createApi({
    async fetch(path, init) {
      const response = await fetch(`http://127.0.0.1:${port}${prefix}${path}`, init);
      onBegun();
      return response;
    },
    onRefusal: { signedOut: () => {} },
    clock,
  });

/** Ends the only wait, which was for so long, and returns what the call fails with then. */
async function timeOut(call: Promise<unknown>, ms: number): Promise<ApiError> {
  const failed = call.then(
    () => {
      throw new Error("answered");
    },
    (error: ApiError) => error,
  );
  expect([...timers.values()]).toEqual([ms]);
  for (const run of timers.keys()) run();
  const error = await failed;
  expect(error).toBeInstanceOf(ApiError);
  expect(timers.size).toBe(0);
  return error;
}

describe("a call that is not answered in time", () => {
  const file = new FormData();
  file.append("file", new Blob(["a"]), "file");
  const calls: Record<string, [(api: Api) => Promise<unknown>, ms: number]> = {
    "without a body": [(api) => api.call("GET /api/auth/me"), 20_000],
    "with JSON": [(api) => api.call("PATCH /api/auth/me", { body: { display_name: "A" } }), 20_000],
    "with a file": [(api) => api.call("PUT /api/auth/me/avatar", { body: file }), 300_000],
  };
  test.each(Object.entries(calls))("fails, and its connection ends: %s", async (_, [call, ms]) => {
    const before = mute.accepted;
    const answer = call(open(mute.port));
    await mute.until(before + 1);
    expect((await timeOut(answer, ms)).code).toBe("not_answering");
    await eventually(() => mute.open === 0);
  });

  test.each([200, 409])("fails in the middle of an answer, with %d", async (status) => {
    const begun = new Promise<void>((resolve) => (onBegun = resolve));
    const answer = open(slow.port, `/${status}`).call("GET /api/auth/me");
    await begun;
    expect((await timeOut(answer, 20_000)).code).toBe("not_answering");
  });

  test("is not one that its caller gave up", async () => {
    const abortController = new AbortController();
    const before = mute.accepted;
    const answer = open(mute.port).call("GET /api/auth/me", {}, { signal: abortController.signal });
    await mute.until(before + 1);
    abortController.abort();
    expect(await answer.catch(({ code }) => code)).toBe("offline");
    expect(timers.size).toBe(0);
  });
});
