import { afterAll, beforeAll, expect, test } from "bun:test";
import { Post } from "./support.ts";

let post: Post;
beforeAll(async () => {
  post = await Post.open();
});
afterAll(() => post?.close());

test("a webhook of a room that was a conversation delivers nothing of what was said in it", async () => {
  const { ada, bob, world, receiver } = post;
  const carol = await world.person("carol");
  const user_ids = [bob, carol].map(({ user }) => user.id);
  const { id } = (await ada.post("/api/direct", { user_ids })).body;
  const earlier = await bob.say(id, "between us");
  await ada.post(`/api/direct/${id}/room`, { name: "former" });
  const events = ["message.created", "message.updated"];
  const url = receiver.at("/former");
  const response = await ada.post(`/api/rooms/${id}/outgoing-webhooks`, {
    name: "CI",
    url,
    events,
  });
  expect(response.status).toBe(201);

  const later = await ada.say(id, "in the room");
  await ada.say(id, "a quote", { quote_id: earlier.id });
  await ada.say(id, "a reply", { thread_id: earlier.id });
  await ada.say(id, "another quote", { quote_id: later.id });
  await bob.patch(`/api/messages/${earlier.id}`, { content: "still between us" });
  await receiver.until("/former", 4);
  await ada.patch(`/api/messages/${later.id}`, { content: "still in the room" });

  const requests = await receiver.until("/former", 5);
  expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain("between us");
  expect(requests.map(({ body }) => body.data.message.content)).toEqual([
    ...["in the room", "a quote", "a reply", "another quote", "still in the room"],
  ]);
  expect(requests[3]?.body.data.message.quote.excerpt).toBe("in the room");
});
