import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let roomId: string;
let hookPath: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada", { isSiteAdmin: true });
  roomId = await world.room("ours", ada);
  const response = await ada.post(`/api/rooms/${roomId}/incoming-webhooks`, { name: "CI" });
  hookPath = new URL(response.body.url).pathname;
});
afterAll(() => world.stop());

const nested = (levels: number, open = "[", close = "]") =>
  open.repeat(levels) + close.repeat(levels);
/** A loop over a billion takes longer, on a busy machine too. */
const PATIENCE_MS = 2_000;

async function quickly<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const answer = await work();
  expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  return answer;
}

describe("a nested JSON body", () => {
  const DEEP: [what: string, text: string][] = [
    ["31 KiB of arrays", nested(15_872)],
    ["arrays that never end", "[".repeat(31 * 1024)],
    ["objects", nested(6_000, '{"a":', "}").replace(":}", ":1}")],
    ["33 levels", nested(33)],
    ["an array deep in a field", `{"token":${nested(15_000)}}`],
  ];

  test.each(DEEP)("of %s is 400 at once", async (_, text) => {
    const answer = await quickly(() => world.anonymous.post("/api/signup", text));
    expectProblem(answer, 400, "bad_request");
    expect(answer.body.detail).toContain("32");
  });

  test.each(DEEP)("of %s is refused to a webhook", async (_, text) => {
    const answer = await quickly(() => world.anonymous.post(hookPath, text));
    expect([answer.status, answer.body]).toEqual([400, "invalid_payload"]);
  });

  test.each(DEEP)("of %s is refused as a frame", async (_, text) => {
    const socket = await ada.socket();
    socket.sendRaw(text);
    expect(await quickly(() => socket.next("error"))).toMatchObject({ code: "bad_request" });
    socket.close();
  });

  test("of 32 levels is read", async () => {
    const text = `{"username":"ada","password":"wrong","more":${nested(31)}}`;
    expectProblem(await world.anonymous.post("/api/auth/login", text), 401, "invalid_credentials");
  });

  test("with brackets in its texts counts none of them", async () => {
    const text = JSON.stringify({ username: `\\"${"[{".repeat(100)}`, password: "\\" });
    expectProblem(await world.anonymous.post("/api/auth/login", text), 401, "invalid_credentials");
  });

  test("of more values than any request has is 400", async () => {
    const text = `[${"0,".repeat(20_000)}0]`;
    expectProblem(
      await quickly(() => world.anonymous.post("/api/signup", text)),
      400,
      "bad_request",
    );
  });
});

describe("an object that claims a length", () => {
  const LONG = { length: 1e9 };

  test("is no list", async () => {
    const body = { name: "a hook", url: "https://example.org", events: LONG };
    const path = `/api/rooms/${roomId}/outgoing-webhooks`;
    const answer = await quickly(() => ada.post(path, { ...body, events: { length: 5_000_000 } }));
    expectProblem(answer, 422, "validation");
    expectProblem(await quickly(() => ada.post(path, body)), 422, "validation");
    const invite = { email: "new@example.org", room_ids: LONG };
    expectProblem(await quickly(() => ada.post("/api/admin/invites", invite)), 422, "validation");
  });

  test("is no text", async () => {
    const body = { username: LONG, password: LONG };
    const answer = await quickly(() => world.anonymous.post("/api/auth/login", body));
    expectProblem(answer, 422, "validation");
  });

  test.each([
    { text: LONG },
    { blocks: LONG },
    { attachments: LONG },
    { alerts: LONG, status: "firing" },
    { text: "hello", blocks: [{ type: "section", fields: LONG }] },
  ])("is nothing to a webhook: %j", async (body) => {
    const { status } = await quickly(() => world.anonymous.post(hookPath, body));
    expect([200, 400]).toContain(status);
  });
});

test("a query's list is text like any other", async () => {
  const query = encodeURIComponent(nested(2_000));
  const answer = await quickly(() => ada.get(`/api/users?query=${query}`));
  expectProblem(answer, 422, "validation");
  expect(answer.body.detail.length).toBeLessThan(200);
});
