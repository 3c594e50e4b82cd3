import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../../support/client.ts";
import { PNG } from "../../support/images.ts";
import { reply, textsOf, threadOf, threadsOf } from "../../support/threads.ts";
import { World } from "../../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let room: string;
let rooms = 0;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  const n = rooms++;
  ada = await world.person(`ada${n}`);
  bob = await world.person(`bob${n}`);
  room = await world.room(`room-${n}`, ada, [bob]);
});

const remove = async (who: Client, { id }: { id: string }) => {
  expect((await who.delete(`/api/messages/${id}`)).status).toBe(204);
};
const read = (who: Client, { id }: { id: string }) => who.get(`/api/messages/${id}`);
/** What the room's log says after a number. */
const eventsAfter = async (seq: number) => {
  const { body } = await ada.get(`/api/rooms/${room}/changes?after=${seq}`);
  return body.items;
};

describe("a deleted reply", () => {
  test("in the middle leaves the others, and the summary is that of what is there", async () => {
    const root = await ada.say(room, "root");
    const [one, two, three] = [
      await reply(bob, root, "1"),
      await reply(ada, root, "2"),
      await reply(bob, root, "3"),
    ];
    await remove(ada, two);
    expect(await textsOf(bob, root)).toEqual(["1", "3"]);
    const thread = (await read(bob, root)).body.thread;
    expect(thread).toMatchObject({ reply_count: 2, last_reply_seq: three.seq });
    expect(thread.author_ids).toEqual([bob.user.id]);
    expect(await eventsAfter(three.seq)).toMatchObject([
      { type: "message_delete", message_id: two.id },
      { type: "thread", message_id: root.id, thread },
    ]);
    await remove(bob, three);
    expect((await read(bob, root)).body.thread).toEqual({
      ...thread,
      reply_count: 1,
      last_reply_seq: one.seq,
      last_reply_at: one.created_at,
    });
  });

  test("that was the last ends the thread, and nobody follows it any more", async () => {
    const root = await ada.say(room, "root");
    const only = await reply(bob, root, "1");
    expect(await threadsOf(ada)).toHaveLength(1);
    await remove(bob, only);
    expect((await read(ada, root)).body).toEqual(root);
    expect(await threadOf(ada, root)).toMatchObject({
      root: { thread: null },
      items: [],
      follow: { is_following: false, read_seq: null },
    });
    expect(await threadsOf(ada)).toEqual([]);
    expect(await eventsAfter(only.seq)).toMatchObject([
      { type: "message_delete", message_id: only.id },
      { type: "thread", message_id: root.id, thread: null },
    ]);
    const [left] = await world.database.sql`select count(*)::int as count from thread_follows
      where thread_id = ${root.id}`;
    expect(left?.count).toBe(0);
    const again = await reply(bob, root, "again");
    expect(again.root.id).toBe(root.id);
    expect((await read(ada, root)).body.thread).toMatchObject({ reply_count: 1 });
  });
});

describe("a deleted root", () => {
  test("without replies is gone", async () => {
    const root = await ada.say(room, "root");
    await remove(ada, root);
    expectProblem(await read(ada, root), 404, "message_not_found");
  });

  test("with replies stays for them, without its content, until the last is gone", async () => {
    const { body: image } = await ada.upload(`/api/rooms/${room}/images`, PNG);
    const quoted = await bob.say(room, "before");
    const root = await ada.say(room, `see @${bob.user.username} https://example.org/x`, {
      image_id: image.id,
      quote_id: quoted.id,
      client_id: Bun.randomUUIDv7(),
    });
    await bob.post(`/api/messages/${root.id}/reactions`, { emoji: "👍" });
    await ada.put(`/api/messages/${root.id}/pin`, {});
    const [one, two] = [await reply(bob, root, "1"), await reply(bob, root, "2")];
    const quoting = await bob.say(room, "look", { quote_id: root.id });
    await remove(ada, root);

    const { body } = await read(bob, root);
    expect(body).toEqual({
      ...root,
      content: null,
      image: null,
      preview_url: null,
      preview: null,
      mentions: [],
      quote: null,
      client_id: null,
      deleted_at: expect.stringMatching(/Z$/),
      thread: expect.objectContaining({ reply_count: 2, last_reply_seq: two.seq }),
    });
    const [update] = await eventsAfter(quoting.seq);
    expect(update).toMatchObject({ type: "message_update", message: body });
    expect((await read(bob, one)).body.root).toMatchObject({ id: root.id, excerpt: null });
    expect((await read(bob, quoting)).body.quote).toEqual({ id: root.id, is_gone: true });
    expect(await textsOf(bob, root)).toEqual(["1", "2"]);
    expect((await ada.get(image.url)).status).toBe(404);
    expect((await ada.get(`/api/rooms/${room}`)).body.pin_count).toBe(0);

    await remove(bob, one);
    await remove(bob, two);
    expectProblem(await read(bob, root), 404, "message_not_found");
    expect((await eventsAfter(quoting.seq)).slice(-2)).toMatchObject([
      { type: "message_delete", message_id: two.id },
      { type: "message_delete", message_id: root.id },
    ]);
    const history = await bob.get(`/api/rooms/${room}/messages`);
    expect(history.body.items).toMatchObject([{ id: quoted.id }, { id: quoting.id }]);
  });

  test("takes no edit, reaction, pin, reply, quote, title or second deletion", async () => {
    const root = await ada.say(room, "root");
    const message = await reply(bob, root, "1");
    await remove(ada, root);
    const path = `/api/messages/${root.id}`;
    const gone = [
      await ada.patch(path, { content: "back" }),
      await ada.post(`${path}/reactions`, { emoji: "👍" }),
      await ada.put(`${path}/pin`, {}),
      await ada.delete(path),
    ];
    for (const answer of gone) expectProblem(answer, 404, "message_not_found");
    const post = (body: object) => bob.post(`/api/rooms/${room}/messages`, body);
    for (const thread_id of [root.id, message.id]) {
      expectProblem(await post({ content: "2", thread_id }), 422, "unknown_thread");
    }
    expectProblem(await post({ content: "2", quote_id: root.id }), 422, "unknown_quote");
    const titled = await ada.patch(`${path}/thread`, { title: "x" });
    expectProblem(titled, 409, "message_deleted");
    expectProblem(await ada.patch(`${path}/thread`, { is_resolved: true }), 409, "message_deleted");
    expect(await threadsOf(bob)).toMatchObject([{ root: { id: root.id, content: null } }]);
  });

  test("is skipped by what counts and lists messages", async () => {
    const cara = await world.person(`cara-${rooms}`);
    await ada.post(`/api/rooms/${room}/members`, { user_id: cara.user.id });
    const root = await ada.say(room, `hello @cara-${rooms} badger`);
    await cara.post(`/api/messages/${root.id}/reactions`, { emoji: "👍" });
    await reply(cara, root, "1");
    const mine = () => cara.get(`/api/rooms/${room}`).then(({ body }) => body.membership);
    expect(await mine()).toMatchObject({ unread: true, mention_count: 1 });
    await remove(ada, root);
    expect(await mine()).toMatchObject({ unread: false, mention_count: 0 });
    for (const who of [ada, cara]) expect((await who.get("/api/activity")).body.items).toEqual([]);
    const unread = (await cara.get("/api/activity/unread")).body;
    expect(unread).toMatchObject({ mentions: [], reactions: 0 });
    expect((await ada.get(`/api/rooms/${room}/pins`)).body.items).toEqual([]);
  });
});

test("a hidden thread is the thread of a message that never was, byte for byte", async () => {
  const eve = await world.person("eve");
  const root = await ada.say(room, "root");
  const message = await reply(bob, root, "1");
  const calls: [method: string, path: string, body?: object][] = [
    ["GET", "/thread"],
    ["PATCH", "/thread", { title: "x" }],
    ["PUT", "/thread/follow", { is_following: true }],
    ["POST", "/thread/read", {}],
    ["POST", "/thread/unread", { message_id: message.id }],
  ];
  for (const [method, path, body] of calls) {
    const answers = [];
    for (const id of [root.id, message.id, Bun.randomUUIDv7()]) {
      answers.push(await eve.call(method, `/api/messages/${id}${path}`, body));
    }
    for (const answer of answers) expectProblem(answer, 404, "message_not_found");
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  }
  const lists = [
    await eve.get(`/api/threads?filter=room&room_id=${room}`),
    await eve.get(`/api/threads?filter=room&room_id=${Bun.randomUUIDv7()}`),
  ];
  for (const answer of lists) expectProblem(answer, 404, "room_not_found");
  expect(JSON.stringify(lists[0]?.body)).toBe(JSON.stringify(lists[1]?.body));
});
