import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
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

const refuse = (status: number) => {
  post.receiver.answer = () => new Response("no", { status });
};

describe("a delivery that fails", () => {
  test("does not block the next, and is retried with its id", async () => {
    const line = await post.room(["message.created"]);
    post.receiver.answer = ({ body }) =>
      new Response("hm", { status: body.data.message.content === "one" ? 503 : 200 });
    for (const text of ["one", "two", "three"]) await line.say(text);
    const requests = await line.until(3);
    expect(requests.map(({ body }) => body.data.message.content)).toEqual(["one", "two", "three"]);
    await line.newest(({ state }) => state === "delivered");
    const waiting = (await line.deliveries()).at(-1);
    expect(waiting).toMatchObject({ state: "pending", attempts: 1, status: 503, answer: "hm" });
    expect((await line.read()).failing_since).toBeNull();

    post.receiver.answer = () => new Response("ok");
    await line.hurry();
    const again = (await line.until(4))[3];
    expect(again).toMatchObject({ id: requests[0]?.id, text: requests[0]?.text });
  });

  test("is retried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, then no more", async () => {
    const line = await post.room(["message.created"]);
    refuse(500);
    await line.say("never");
    const waits: number[] = [];
    for (let tries = 1; tries <= 10; tries += 1) {
      const tried = await line.newest(({ attempts }) => attempts === tries);
      if (tries === 10) expect(tried).toMatchObject({ state: "failed", next_at: null });
      else {
        waits.push((Date.parse(tried.next_at ?? "") - Date.parse(tried.tried_at ?? "")) / 1_000);
        await line.hurry();
      }
    }
    const least = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits).toHaveLength(least.length);
    for (const [i, seconds] of least.entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(seconds);
      expect(waits[i]).toBeLessThanOrEqual(seconds * 1.21);
    }
    // The first delay is short, so the next attempt has been made by now.
    expect(line.post.receiver.to(line.path)).toHaveLength(10);
    expect((await line.read()).failing_since).not.toBeNull();
  });

  test("by a redirect is not followed", async () => {
    const line = await post.room(["message.created"]);
    post.receiver.answer = () => Response.redirect(post.receiver.at("/elsewhere"), 307);
    await line.say("here");
    const tried = await line.newest(({ attempts }) => attempts === 1);
    expect(tried).toMatchObject({ state: "pending", status: 307 });
    expect(tried.error).toContain("redirect");
    expect(post.receiver.to("/elsewhere")).toEqual([]);
  });

  test("because its address has become private says so, and no request is sent", async () => {
    const line = await post.room(["message.created"]);
    // As when a name resolves differently than when the webhook was created.
    await post.world.database.sql`update outgoing_webhooks
      set url = 'http://[::ffff:127.0.0.1]/' where id = ${line.hook.id}`;
    await line.say("inside");
    const tried = await line.newest(({ attempts }) => attempts === 1);
    expect(tried).toMatchObject({ state: "pending", status: null, answer: null });
    expect(tried.error).toContain("private network");
  });

  test("delays no other room's, however slow its receiver is", async () => {
    const slow = await post.room(["message.created"]);
    const quick = await post.room(["message.created"]);
    const { promise, resolve } = Promise.withResolvers<Response>();
    post.receiver.answer = ({ path }) => (path === slow.path ? promise : new Response("ok"));
    await slow.say("think");
    await slow.until(1);
    await quick.say("go");
    await quick.newest(({ state }) => state === "delivered");
    resolve(new Response("ok"));
    await slow.newest(({ state }) => state === "delivered");
  });
});

describe("a webhook", () => {
  test("that answers 410 is disabled at once, says why, and starts again when resumed", async () => {
    const line = await post.room(["message.created"]);
    refuse(410);
    await line.say("unwanted");
    const tried = await line.newest(({ attempts }) => attempts === 1);
    expect(tried).toMatchObject({ state: "failed", status: 410 });
    const off = await line.read();
    expect(off.is_active).toBe(false);
    expect(off.disabled_reason).toContain("410");

    post.receiver.answer = () => new Response("ok");
    await line.say("while it is off");
    expectProblem(
      await post.ada.post(`${line.at}/deliveries/${tried.id}/redeliver`),
      409,
      "webhook_paused",
    );
    const on = await post.ada.patch(line.at, { is_active: true });
    expect(on).toMatchObject({
      status: 200,
      body: { is_active: true, disabled_reason: null, failing_since: null },
    });
    await line.say("after");
    const requests = await line.until(2);
    expect(requests[1]?.body.data.message.content).toBe("after");
  });

  test("that has failed for five days is disabled, and says why", async () => {
    const line = await post.room(["message.created"]);
    refuse(500);
    const { sql } = post.world.database;
    const since = (days: number) => sql`update outgoing_webhooks
      set failing_since = clock_timestamp() - ${days} * interval '1 day' where id = ${line.hook.id}`;
    await since(4.9);
    await line.say("not yet");
    await line.newest(({ attempts }) => attempts === 1);
    expect((await line.read()).is_active).toBe(true);
    await since(5.1);
    await line.say("enough");
    await line.newest(({ body, attempts }) => body.includes("enough") && attempts === 1);
    const off = await line.read();
    expect(off).toMatchObject({ is_active: false });
    expect(off.disabled_reason).toContain("five days");
  });

  test("no longer counts as failing after a success", async () => {
    const line = await post.room(["message.created"]);
    refuse(500);
    await line.say("fails");
    await line.newest(({ attempts }) => attempts === 1);
    expect((await line.read()).failing_since).not.toBeNull();
    post.receiver.answer = () => new Response("ok");
    await line.hurry();
    await line.newest(({ state }) => state === "delivered");
    expect((await line.read()).failing_since).toBeNull();
  });

  test("that is paused gets nothing, and later nothing of what happened meanwhile", async () => {
    const line = await post.room(["message.created"]);
    expect((await post.ada.patch(line.at, { is_active: false })).status).toBe(200);
    await line.say("quiet");
    await post.ada.patch(line.at, { is_active: true });
    await line.say("loud");
    const [first] = await line.until(1);
    expect(first?.body.data.message.content).toBe("loud");
  });
});

describe("redelivery", () => {
  test("sends the same body with the same id", async () => {
    const line = await post.room(["message.created"]);
    await line.say("again");
    const done = await line.newest(({ state }) => state === "delivered");
    const answer = await post.ada.post(`${line.at}/deliveries/${done.id}/redeliver`);
    expect(answer).toMatchObject({ status: 200, body: { id: done.id } });
    const [first, second] = await line.until(2);
    expect(second).toMatchObject({ id: first?.id, text: first?.text });
    await line.newest(({ state, attempts }) => state === "delivered" && attempts === 1);
  });

  test("accepts only deliveries of the webhook", async () => {
    const [one, two] = [await post.room(["message.created"]), await post.room()];
    await one.say("mine");
    const { id } = await one.newest(({ state }) => state === "delivered");
    expectProblem(
      await post.ada.post(`${two.at}/deliveries/${id}/redeliver`),
      404,
      "delivery_not_found",
    );
    const foreign = `${two.base}/${one.hook.id}/deliveries`;
    expectProblem(await post.ada.get(foreign), 404, "webhook_not_found");
  });
});
