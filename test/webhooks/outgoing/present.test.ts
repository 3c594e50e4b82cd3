import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser } from "../../../src/accounts/administer.ts";
import { type Line, Post } from "./support.ts";
import { eventually } from "../../support/wait.ts";

let post: Post;
beforeAll(async () => {
  post = await Post.open();
});
afterEach(() => {
  post.receiver.answer = () => new Response("ok");
});
afterAll(() => post?.close());

const TEXT = "the first words";

/** A room whose receiver has failed once, with the message that it did not take. */
async function failOnce(line: Line) {
  post.receiver.answer = () => new Response("no", { status: 503 });
  const { id } = await line.say(TEXT);
  await line.newest(({ attempts, state }) => attempts === 1 && state === "pending");
  post.receiver.answer = () => new Response("ok");
  return id as string;
}

/** What came after the attempt that failed. */
const laterAt = (line: Line) => post.receiver.to(line.path).slice(1);

/** Waits until nothing of the webhook is due, and its job has ended. */
async function untilQuiet({ hook }: Line): Promise<void> {
  const { sql } = post.world.database;
  const read = () => sql`select from jobs where unique_key = ${`hook:${hook.id}`}`;
  await eventually(async () => (await read()).count === 0);
}

describe("a delivery that is retried", () => {
  test("says what the message says now, and is listed as it was sent", async () => {
    const line = await post.room(["message.created"]);
    const id = await failOnce(line);
    await post.bob.patch(`/api/messages/${id}`, { content: "better words" });
    await line.hurry();
    await line.until(2);
    const [again] = laterAt(line);
    expect(again?.body).toMatchObject({
      type: "message.created",
      data: { message: { id, content: "better words" } },
    });
    const listed = await line.newest(({ state }) => state === "delivered");
    expect(listed.body).toBe(again?.text ?? "");
  });

  test.each([
    ["message.created", async (_: Line, __: string) => {}],
    [
      "message.updated",
      async (line: Line, id: string) => {
        await post.bob.patch(`/api/messages/${id}`, { content: `${TEXT}, again` });
        await line.newest(({ event, attempts }) => event === "message.updated" && attempts === 1);
      },
    ],
  ])(
    "is not sent once the message is deleted, and shows nothing of it: %s",
    async (event, cause) => {
      const line = await post.room([event]);
      post.receiver.answer = () => new Response("no", { status: 503 });
      const { id } = await line.say(TEXT);
      await cause(line, id);
      await line.newest(({ attempts, state }) => attempts === 1 && state === "pending");
      post.receiver.answer = () => new Response("ok");
      await post.bob.delete(`/api/messages/${id}`);
      await line.hurry();
      const ended = await line.newest(({ state }) => state === "failed");
      expect(ended).toMatchObject({ event, next_at: null, attempts: 1 });
      expect(ended.error).toContain("deleted");
      expect(ended.body).not.toContain(TEXT);
      expect(JSON.parse(ended.body)).toMatchObject({
        type: event,
        data: { room: { id: line.roomId } },
      });
      expect(laterAt(line)).toEqual([]);
      // Nor by hand.
      await post.ada.post(`${line.at}/deliveries/${ended.id}/redeliver`);
      await line.newest(({ state }) => state === "failed");
      expect(laterAt(line)).toEqual([]);
      // It does not count against the receiver.
      expect((await line.read()).is_active).toBe(true);
    },
  );

  test("is not sent while its webhook is paused", async () => {
    const line = await post.room(["message.created"]);
    await failOnce(line);
    await post.ada.patch(line.at, { is_active: false });
    await line.hurry();
    await untilQuiet(line);
    expect(laterAt(line)).toEqual([]);
  });

  test.each(["small", "large"])("is not sent once its %s room is deleted", async (size) => {
    const line = await post.room(["message.created"]);
    await failOnce(line);
    // The rows of a large room are deleted by a job, after the room is gone for everyone.
    if (size === "large") {
      await post.world.database
        .sql`update rooms set last_seq = last_seq + 2000 where id = ${line.roomId}`;
    }
    expect((await post.ada.delete(`/api/rooms/${line.roomId}`)).status).toBe(204);
    await line.hurry();
    await untilQuiet(line);
    expect(laterAt(line)).toEqual([]);
  });

  test("names a member as they are called now", async () => {
    const line = await post.room(["member.added"]);
    const carol = await post.world.person("carol");
    post.receiver.answer = () => new Response("no", { status: 503 });
    await post.ada.post(`/api/rooms/${line.roomId}/members`, { username: "carol" });
    await line.newest(({ attempts, state }) => attempts === 1 && state === "pending");
    post.receiver.answer = () => new Response("ok");
    await carol.patch("/api/auth/me", { display_name: "Carol Now" });
    await line.hurry();
    await line.until(2);
    expect(laterAt(line)[0]?.body.data.user).toMatchObject({ display_name: "Carol Now" });
  });

  test("is sent although its author has left and its webhook's creator is deactivated", async () => {
    const { world, ada, bob } = post;
    const maker = await world.person("maker");
    const line = await post.room(["message.created"]);
    await ada.post(`/api/rooms/${line.roomId}/members`, { username: "maker", role: "admin" });
    await world.database
      .sql`update outgoing_webhooks set created_by = ${maker.user.id} where id = ${line.hook.id}`;
    await failOnce(line);
    await ada.delete(`/api/rooms/${line.roomId}/members/${bob.user.id}`);
    await world.administer("maker", deactivateUser);
    await line.hurry();
    await line.until(2);
    expect(laterAt(line)[0]?.body.data.message.content).toBe(TEXT);
  });
});

test("a delivery that waits for its first attempt says what is true then", async () => {
  const line = await post.room(["message.created"]);
  const { promise, resolve } = Promise.withResolvers<void>();
  post.receiver.answer = async () => {
    await promise;
    return new Response("ok");
  };
  const { sql } = post.world.database;
  const setActive = (isActive: boolean) =>
    sql`update outgoing_webhooks set is_active = ${isActive} where id = ${line.hook.id}`;
  // So that the deliveries of all three are created at once.
  await setActive(false);
  await line.say("holds the line");
  const [edited, deleted] = [await line.say(TEXT), await line.say(TEXT)];
  await setActive(true);
  await line.until(1);
  expect((await line.deliveries()).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
  await post.bob.patch(`/api/messages/${edited.id}`, { content: "better words" });
  await post.bob.delete(`/api/messages/${deleted.id}`);
  post.receiver.answer = () => new Response("ok");
  resolve();
  await line.newest(({ state }) => state === "failed");
  expect(laterAt(line).map(({ body }) => body.data.message.content)).toEqual(["better words"]);
});
