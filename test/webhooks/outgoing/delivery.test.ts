import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { Webhook as Standard } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { WEBHOOK_EVENTS } from "../../../src/wire/webhook-events.ts";
import { WebhookPayload } from "../../../src/wire/webhooks.ts";
import { Post } from "./support.ts";

let post: Post;
beforeAll(async () => {
  post = await Post.open();
});
afterAll(() => post?.close());

describe("a delivery", () => {
  test("is verified by other implementations, and only with its secret", async () => {
    const line = await post.room();
    await line.say("grüße 👋");
    const [got] = await line.until(1);
    if (!got) throw new Error("nothing came");
    expect(new Standard(line.hook.secret).verify(got.text, got.headers)).toEqual(got.body);
    for (const Webhook of [Standard, Svix]) {
      expect(() => new Webhook(line.hook.secret).verify(got.text, got.headers)).not.toThrow();
      const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
      expect(() => new Webhook(other).verify(got.text, got.headers)).toThrow();
      expect(() => new Webhook(line.hook.secret).verify(`${got.text} `, got.headers)).toThrow();
    }
    expect(got.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^Snug-Webhooks\//),
      "webhook-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("describes each kind of event, in the room's order", async () => {
    const { ada, bob, world } = post;
    const line = await post.room();
    const { roomId } = line;
    const carol = await world.person("carol");
    const message = await line.say("first");
    await line.until(1);
    await bob.patch(`/api/messages/${message.id}`, { content: "second" });
    await line.until(2);
    await ada.post(`/api/messages/${message.id}/reactions`, { emoji: "👍" });
    await line.until(3);
    await ada.post(`/api/rooms/${roomId}/members`, { username: "carol" });
    await line.until(4);
    await ada.delete(`/api/rooms/${roomId}/members/${carol.user.id}`);
    await line.until(5);
    await ada.patch(`/api/rooms/${roomId}`, { description: "New" });
    await line.until(6);
    await bob.delete(`/api/messages/${message.id}`);
    const bodies = (await line.until(7)).map(({ body }) => body);

    for (const body of bodies) expect([...Value.Errors(WebhookPayload, body)]).toEqual([]);
    const room = { id: roomId, name: expect.any(String) };
    expect(bodies).toMatchObject([
      { type: "message.created", data: { room, message: { id: message.id, content: "first" } } },
      { type: "message.updated", data: { room, message: { id: message.id, content: "second" } } },
      {
        type: "reaction.changed",
        data: { room, message_id: message.id, reactions: [{ emoji: "👍", count: 1 }] },
      },
      { type: "member.added", data: { room, user: { username: "carol" } } },
      { type: "member.removed", data: { room, user: { id: carol.user.id } } },
      { type: "room.updated", data: { room: { id: roomId, description: "New" } } },
      { type: "message.deleted", data: { room, message_id: message.id } },
    ]);
    expect(bodies.map(({ type }) => type).sort()).toEqual([...WEBHOOK_EVENTS].sort());
    const times = bodies.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort());
    expect(Date.parse(times[0])).toBe(Date.parse(message.created_at));
  });

  test("is created for the chosen events only, from the webhook's creation on", async () => {
    const line = await post.room(["message.deleted"]);
    const { id } = await line.say("not this");
    await post.bob.delete(`/api/messages/${id}`);
    await line.until(1);
    const deliveries = await line.deliveries();
    expect(deliveries.map(({ event }) => event)).toEqual(["message.deleted"]);
  });

  test("arrives in the room's order and once, also when many are posted at once", async () => {
    const line = await post.room(["message.created"]);
    const all = Array.from({ length: 120 }, (_, i) => line.say(String(i)));
    const seqs = (await Promise.all(all)).map(({ seq }) => seq).sort((a, b) => a - b);
    const requests = await line.until(120);
    expect(requests.map(({ body }) => body.data.message.seq)).toEqual(seqs);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(120);
  });

  test("omits a message that was deleted before it could be delivered", async () => {
    const line = await post.room();
    const { promise, resolve } = Promise.withResolvers<void>();
    post.receiver.answer = async () => {
      await promise;
      return new Response("ok");
    };
    await line.say("holds the line");
    await line.until(1);
    const { id } = await line.say("regretted");
    await post.bob.delete(`/api/messages/${id}`);
    post.receiver.answer = () => new Response("ok");
    resolve();
    const requests = await line.until(2);
    expect(requests[1]?.body).toMatchObject({ type: "message.deleted", data: { message_id: id } });
    await line.newest((delivery) => delivery.state === "delivered");
    expect(line.post.receiver.to(line.path)).toHaveLength(2);
  });

  test("is found by polling when no notification arrived", async () => {
    const line = await post.room(["message.created"]);
    await line.say("unheard");
    await line.newest(({ state }) => state === "delivered");
    // As if the process had died right after the message.
    const { sql } = post.world.database;
    await sql`delete from webhook_deliveries where hook_id = ${line.hook.id}`;
    await sql`update outgoing_webhooks set after_seq = after_seq - 1 where id = ${line.hook.id}`;
    const [, got] = await line.until(2);
    expect(got?.body.data.message.content).toBe("unheard");
  });

  test("is stored with its body, status, duration and the first part of the answer", async () => {
    const line = await post.room();
    post.receiver.answer = () => new Response(`\0${"ä".repeat(2_000)}`, { status: 202 });
    await line.say("hello");
    const [got] = await line.until(1);
    const delivery = await line.newest((delivery) => delivery.state === "delivered");
    expect(delivery).toMatchObject({
      id: got?.id,
      event: "message.created",
      attempts: 1,
      next_at: null,
      status: 202,
      error: null,
      body: got?.text,
      duration_ms: expect.any(Number),
      delivered_at: expect.any(String),
    });
    expect(delivery.answer).toStartWith("äää");
    expect(Buffer.byteLength(delivery.answer ?? "")).toBeLessThanOrEqual(1_026);
    expect((await line.read()).last_delivery).toEqual({
      id: delivery.id,
      event: "message.created",
      state: "delivered",
      tried_at: delivery.tried_at,
      status: 202,
      error: null,
    });
    post.receiver.answer = () => new Response("ok");
  });
});
