import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sweepExpired } from "../../jobs/prune.ts";
import { startService } from "../../src/service.ts";
import { Client, expectProblem, type Json } from "../support/client.ts";
import { testConfig, World } from "../support/world.ts";

let world: World;
let owner: Client;
let bot: Client;
let room: string;
let other: string;
beforeAll(async () => {
  world = await World.start();
  owner = await world.person("owner");
  bot = await world.bot("robot", ["write:messages"]);
  room = await world.room("robots", owner, [bot]);
  other = await world.room("others", owner, [bot]);
});
afterAll(() => world.stop());

const post = (key: string, body: object, client = bot, roomId = room) =>
  client.call("POST", `/api/rooms/${roomId}/messages`, body, { "idempotency-key": key });
const countOf = async (content: string) => {
  const { items } = (await owner.get(`/api/rooms/${room}/messages?limit=100`)).body;
  return items.filter((item: Json) => item.content === content).length;
};
const age = (hours: number) => world.database.sql`
  update idempotency_keys set created_at = created_at - ${hours} * interval '1 hour'`;

describe("a post with an Idempotency-Key", () => {
  test("is posted once, however often it is sent with the same body", async () => {
    const first = await post("deploy-42", { content: "deployed 42" });
    const second = await post("deploy-42", { content: "deployed 42" });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.id).toBe(first.body.id);
    expect(await countOf("deployed 42")).toBe(1);
  });

  test("is posted once by many requests at a time, over two instances", async () => {
    const second = await startService(testConfig(world.settings), world.target);
    const far = new Client(second.address, null, bot.user, bot.token);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post("once", { content: "at once" }, [bot, far][i % 2])),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(await countOf("at once")).toBe(1);
    await second.stop();
  });

  test("is refused with another body or in another room, and so are keys without form", async () => {
    await post("body", { content: "one" });
    expectProblem(await post("body", { content: "two" }), 422, "idempotency_key_used");
    expectProblem(await post("body", { content: "one" }, bot, other), 422, "idempotency_key_used");
    for (const key of ["x".repeat(256), "ü", "two words"]) {
      expectProblem(await post(key, { content: "one" }), 422, "validation");
    }
    expect(await countOf("two")).toBe(0);
  });

  test("has its key for itself: another sender's is another", async () => {
    const [mine, theirs] = [
      await post("shared", { content: "mine" }),
      await post("shared", { content: "theirs" }, owner),
    ];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  test("posts again a day later, when the key is forgotten", async () => {
    const body = { content: "every day" };
    const first = await post("daily", body);
    await age(23);
    expect((await post("daily", body)).body.id).toBe(first.body.id);
    await age(2);
    const next = await post("daily", body);
    expect([next.status, next.body.id === first.body.id]).toEqual([201, false]);
    await age(25);
    await sweepExpired(world.database.db);
    expect(await world.database.sql`select from idempotency_keys`).toHaveLength(0);
  });

  test("is not posted again where its message was deleted", async () => {
    const { body } = await post("deleted", { content: "gone" });
    expect((await bot.delete(`/api/messages/${body.id}`)).status).toBe(204);
    expectProblem(await post("deleted", { content: "gone" }), 404, "message_not_found");
    expect(await countOf("gone")).toBe(0);
  });

  test("leaves its key free where it was refused, and uses none where its sender may not post", async () => {
    expectProblem(await post("mended", { content: " " }), 422, "empty_message");
    expect((await post("mended", { content: "mended" })).status).toBe(201);
    const stranger = await world.person("stranger");
    const before = await world.database.sql`select from idempotency_keys`;
    expectProblem(await post("mine", { content: "x" }, stranger), 404, "room_not_found");
    expect(await world.database.sql`select from idempotency_keys`).toHaveLength(before.length);
  });

  test("has a limit of keys for each sender", async () => {
    const many = await world.person("many");
    await owner.post(`/api/rooms/${room}/members`, { user_id: many.user.id });
    await world.database.sql`
      insert into idempotency_keys (sender_id, key_hash, body_hash, client_id)
      select ${many.user.id}, sha256(i::text::bytea), ''::bytea, gen_random_uuid()
      from generate_series(1, 10000) i`;
    expectProblem(await post("one-more", { content: "x" }, many), 429, "rate_limited");
    expect((await post("one-more", { content: "x" }, owner)).status).toBe(201);
  });

  test("may be sent again after it was refused", async () => {
    await world.archive("robots", true);
    expectProblem(await post("archived", { content: "later" }), 409, "room_archived");
    await world.archive("robots", false);
    expect((await post("archived", { content: "later" })).status).toBe(201);
  });

  test("of an incoming webhook is posted once, in a thread too", async () => {
    const webhook = await owner.post(`/api/rooms/${room}/incoming-webhooks`, { name: "CI" });
    const url = world.service.address + new URL(webhook.body.url).pathname;
    const send = async (key: string, payload: object) => {
      const headers = { "content-type": "application/json", "idempotency-key": key };
      const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(payload) });
      return [answer.status, await answer.text()];
    };
    for (let i = 0; i < 2; i++) expect(await send("a", { text: "built" })).toEqual([200, "ok"]);
    expect(await send("a", { text: "broken" })).toEqual([422, "idempotency_key_used"]);
    expect(await countOf("built")).toBe(1);
    for (const [key, text] of ["root", "root", "reply", "reply", "root"].map((k) => [
      k,
      `ci ${k}`,
    ])) {
      expect(await send(key as string, { text, thread_key: "ci" })).toEqual([200, "ok"]);
    }
    expect([await countOf("ci root"), await countOf("ci reply")]).toEqual([1, 1]);
    // The same text with a key of its own is another message.
    expect(await send("next", { text: "ci root", thread_key: "ci" })).toEqual([200, "ok"]);
    expect(await countOf("ci root")).toBe(2);
  });
});
