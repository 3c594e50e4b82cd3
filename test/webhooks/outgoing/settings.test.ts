import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { WEBHOOK_EVENTS } from "../../../src/wire/webhook-events.ts";
import { MAX_WEBHOOK_TESTS } from "../../../src/wire/limits.ts";
import { commitDuring } from "../../support/blocked.ts";
import { expectProblem } from "../../support/client.ts";
import { Post } from "./support.ts";

let post: Post;
beforeAll(async () => {
  post = await Post.open();
});
afterEach(() => {
  post.receiver.answer = () => new Response("ok");
});
afterAll(() => post?.close());

const makeSettings = (url: string, more: object = {}) => ({
  name: "CI",
  url,
  events: ["message.created"],
  ...more,
});

describe("the address of a webhook", () => {
  const PRIVATE = [
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://[fe80::1]/",
    "http://0x7f.2/",
    "http://127.0.0.2/",
    "http://192.168.1.1:8080/",
  ];
  test.each(PRIVATE)("cannot be %s, when created or changed", async (url) => {
    const line = await post.room();
    const response = await post.ada.post(line.base, makeSettings(url));
    expectProblem(response, 422, "target_not_allowed");
    expect(response.body.errors).toEqual([
      { path: "/url", message: expect.stringContaining("private") },
    ]);
    expectProblem(await post.ada.patch(line.at, { url }), 422, "target_not_allowed");
    expect((await line.read()).url).toBe(line.hook.url);
  });

  test.each([
    ["http://nowhere.invalid/", "not found"],
    ["ftp://1.1.1.1/", "http"],
    ["https://a:b@1.1.1.1/", "password"],
    ["what", "http"],
  ])("is not %s, and words say why", async (url, words) => {
    const line = await post.room();
    const response = await post.ada.post(line.base, makeSettings(url));
    expectProblem(response, 422, "target_not_allowed");
    expect(response.body.detail).toContain(words);
  });

  test("is resolved only for people who may create a webhook", async () => {
    const line = await post.room();
    const url = "http://nowhere.invalid/";
    expectProblem(await post.bob.post(line.base, makeSettings(url)), 403, "role_required");
    expectProblem(await post.bob.patch(line.at, { url }), 403, "role_required");
  });

  test("can be changed, and later deliveries go there", async () => {
    const line = await post.room();
    const url = post.receiver.at("/moved");
    expect(await post.ada.patch(line.at, { url })).toMatchObject({ status: 200, body: { url } });
    await line.say("there");
    await post.receiver.until("/moved", 1);
  });
});

describe("a webhook", () => {
  test("is listed as it was created, and its secret is shown once", async () => {
    const line = await post.room();
    const { secret, ...shown } = line.hook;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({
      room_id: line.roomId,
      name: "CI",
      url: post.receiver.at(line.path),
      events: [...WEBHOOK_EVENTS],
      is_active: true,
      disabled_reason: null,
      failing_since: null,
      previous_secret_until: null,
      created_by: { username: "ada" },
      last_delivery: null,
    });
    const list = await post.ada.get(line.base);
    expect(list.body).toEqual({ items: [shown], next: null });
    const [row] = await post.world.database.sql`
      select secret from outgoing_webhooks where id = ${line.hook.id}`;
    expect(row?.secret.includes(Buffer.from(secret.slice(6), "base64"))).toBe(false);
    expect(row?.secret.includes(Buffer.from(secret))).toBe(false);
  });

  test.each([
    ["/name", { name: "  " }],
    ["/name", { name: "x".repeat(81) }],
    ["/name", { name: "a\nb" }],
    ["/events", { events: [] }],
    ["/events/0", { events: ["message.read"] }],
    ["/events", { events: ["message.created", "message.created"] }],
  ])("is refused for %s that is not good: %j", async (path, more) => {
    const line = await post.room();
    const url = post.receiver.at("/x");
    const response = await post.ada.post(line.base, makeSettings(url, more));
    expectProblem(response, 422, "validation");
    expect(response.body.errors[0].path).toBe(path);
  });

  test("is one of twenty at most, also when many are created at once", async () => {
    const line = await post.room();
    const url = post.receiver.at("/many");
    const all = await Promise.all(
      Array.from({ length: 24 }, () => post.ada.post(line.base, makeSettings(url))),
    );
    const statuses = all.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(19).fill(201), ...Array(5).fill(409)]);
    const list = await post.ada.get(`${line.base}?limit=15`);
    expect(list.body.items).toHaveLength(15);
    const rest = await post.ada.get(`${line.base}?limit=15&cursor=${list.body.next}`);
    expect(rest.body).toMatchObject({ items: { length: 5 }, next: null });
  });

  test("works after its creator has left, and is deleted with its room", async () => {
    const { ada, bob } = post;
    const line = await post.room();
    await ada.post(`/api/rooms/${line.roomId}/transfer`, { user_id: bob.user.id });
    await ada.post(`/api/rooms/${line.roomId}/leave`);
    await line.until(2);
    await line.say("still");
    const requests = await line.until(3);
    expect(requests[2]?.body.data.message.content).toBe("still");
    expect((await bob.delete(`/api/rooms/${line.roomId}`)).status).toBe(204);
    const rows = await post.world.database.sql`
      select from outgoing_webhooks where room_id = ${line.roomId}`;
    expect(rows).toHaveLength(0);
  });

  test("is deleted with its deliveries", async () => {
    const line = await post.room();
    await line.say("one");
    await line.newest(({ state }) => state === "delivered");
    expect((await post.ada.delete(line.at)).status).toBe(204);
    expectProblem(await post.ada.get(`${line.at}/deliveries`), 404, "webhook_not_found");
    expectProblem(await post.ada.delete(line.at), 404, "webhook_not_found");
  });
});

test("is read and changed only by bots that may read messages", async () => {
  const line = await post.room();
  const bots = [
    await post.world.bot("blind", ["write:messages"]),
    await post.world.bot("seeing", ["read:messages"]),
  ];
  for (const bot of bots) {
    const values = { user_id: bot.user.id, role: "admin" };
    await post.ada.post(`/api/rooms/${line.roomId}/members`, values);
  }
  const [blind, seeing] = bots;
  const url = post.receiver.at("/bots");
  const calls: [method: string, path: string, body?: object][] = [
    ["POST", line.base, makeSettings(url)],
    ["PATCH", line.at, { url }],
    ["GET", line.base],
    ["GET", `${line.at}/deliveries`],
    ["POST", `${line.at}/test`],
    ["POST", `${line.at}/rotate-secret`],
    ["DELETE", line.at],
  ];
  for (const [method, path, body] of calls) {
    expectProblem((await blind?.call(method, path, body)) as never, 403, "insufficient_scope");
    expect((await seeing?.call(method, path, body))?.status).toBeLessThan(300);
  }
});

describe("a new secret", () => {
  test("signs beside the previous one for a day, then alone", async () => {
    const line = await post.room(["message.created"]);
    const rotated = await post.ada.post(`${line.at}/rotate-secret`);
    expect(rotated.status).toBe(200);
    const { secret, previous_secret_until } = rotated.body;
    expect(secret).not.toBe(line.hook.secret);
    const hours = (Date.parse(previous_secret_until) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);

    await line.say("both");
    const [both] = await line.until(1);
    for (const key of [secret, line.hook.secret]) {
      expect(new Webhook(key).verify(both?.text ?? "", both?.headers ?? {})).toEqual(both?.body);
    }
    expect(both?.headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);

    await post.world.database.sql`update outgoing_webhooks
      set previous_until = clock_timestamp() - interval '1 second' where id = ${line.hook.id}`;
    await line.say("new");
    const alone = (await line.until(2))[1];
    expect(new Webhook(secret).verify(alone?.text ?? "", alone?.headers ?? {})).toBeDefined();
    expect(alone?.headers["webhook-signature"]).toMatch(/^v1,\S{44}$/);
    expect((await line.read()).previous_secret_until).toBeNull();
  });
});

describe("a test", () => {
  test("is sent at once and returns its outcome", async () => {
    const line = await post.room();
    post.receiver.answer = () => new Response("pong", { status: 201 });
    const { status, body } = await post.ada.post(`${line.at}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ event: "webhook.test", state: "delivered", status: 201 });
    expect(body.answer).toBe("pong");
    const [got] = await line.until(1);
    expect(new Webhook(line.hook.secret).verify(got?.text ?? "", got?.headers ?? {})).toEqual({
      type: "webhook.test",
      timestamp: expect.any(String),
      data: { room: { id: line.roomId, name: expect.any(String) } },
    });
  });

  test("that fails is not retried, and does not count against the webhook", async () => {
    const line = await post.room();
    await post.ada.patch(line.at, { is_active: false });
    post.receiver.answer = () => new Response("no", { status: 500 });
    const { body } = await post.ada.post(`${line.at}/test`);
    expect(body).toMatchObject({ state: "failed", attempts: 1, status: 500, next_at: null });
    expect(await line.read()).toMatchObject({ failing_since: null, disabled_reason: null });
  });

  test("of a webhook that is deleted meanwhile is not sent", async () => {
    const line = await post.room();
    const answer = await commitDuring(
      post.world,
      (tx) => tx.execute(`delete from outgoing_webhooks where id = '${line.hook.id}'`),
      () => post.ada.post(`${line.at}/test`),
    );
    expectProblem(answer, 404, "webhook_not_found");
  });

  test("runs once at a time per webhook, and a few times per instance", async () => {
    const rooms = await Promise.all(
      Array.from({ length: MAX_WEBHOOK_TESTS + 1 }, () => post.room()),
    );
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    post.receiver.answer = () => answered.then(() => new Response("ok"));
    const send = ({ at }: { at: string }) => post.ada.post(`${at}/test`);
    const running = rooms.slice(0, MAX_WEBHOOK_TESTS).map(send);
    await Promise.all(rooms.slice(0, MAX_WEBHOOK_TESTS).map((room) => room.until(1)));
    for (const room of [rooms[0], rooms.at(-1)]) {
      const response = await send(room as { at: string });
      expectProblem(response, 429, "rate_limited");
      expect(response.headers.get("retry-after")).toBe("5");
    }
    post.receiver.answer = () => new Response("ok");
    answer();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(
      running.map(() => 200),
    );
    expect((await send(rooms[0] as { at: string })).status).toBe(200);
  });
});

test("deliveries are listed in pages, the newest first", async () => {
  const line = await post.room();
  for (let i = 0; i < 5; i += 1) await post.ada.post(`${line.at}/test`);
  const ids: string[] = [];
  let cursor = "";
  for (const count of [2, 2, 1]) {
    const { body } = await post.ada.get(`${line.at}/deliveries?limit=2${cursor}`);
    expect(body.items).toHaveLength(count);
    ids.push(...body.items.map(({ id }: { id: string }) => id));
    cursor = `&cursor=${body.next}`;
  }
  expect(ids).toEqual([...ids].sort().reverse());
  expect(new Set(ids).size).toBe(5);
  const bad = await post.ada.get(`${line.at}/deliveries?cursor=eA`);
  expectProblem(bad, 422, "validation");
});
