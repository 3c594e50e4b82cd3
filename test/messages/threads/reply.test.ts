import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../../support/client.ts";
import { World } from "../../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let eve: Client;
let room: string;
let rooms = 0;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob");
  eve = await world.person("eve");
});
afterAll(() => world.stop());
beforeEach(async () => {
  room = await world.room(`room-${rooms++}`, ada, [bob]);
});

const reply = (who: Client, root: { id: string }, content: string, more: object = {}) =>
  who.say(room, content, { thread_id: root.id, ...more });
const threadOf = async (who: Client, { id }: { id: string }, query = "") =>
  (await who.get(`/api/messages/${id}/thread${query}`)).body;
const post = (who: Client, body: object, roomId = room) =>
  who.post(`/api/rooms/${roomId}/messages`, body);

describe("a reply", () => {
  test("names its root, and the root shows its thread", async () => {
    const root = await ada.say(room, "**Deploy** on Friday?");
    expect(root).toMatchObject({ thread_id: null, thread: null, root: null });
    const first = await reply(bob, root, "and it is green");
    expect(first).toMatchObject({
      thread_id: root.id,
      thread: null,
      root: {
        id: root.id,
        author: { id: ada.user.id, name: "Ada Lovelace" },
        title: null,
        excerpt: "Deploy on Friday?",
      },
    });
    const second = await reply(ada, root, "then go");
    const response = await bob.get(`/api/messages/${root.id}`);
    expect(response.body.thread).toEqual({
      title: null,
      reply_count: 2,
      last_reply_seq: second.seq,
      last_reply_at: second.created_at,
      author_ids: [ada.user.id, bob.user.id],
      is_resolved: false,
    });
  });

  test("to a reply joins its thread", async () => {
    const root = await ada.say(room, "root");
    const first = await reply(bob, root, "one");
    const second = await reply(ada, first, "two");
    expect(second).toMatchObject({ thread_id: root.id, root: { id: root.id } });
    expect((await threadOf(bob, second)).items).toMatchObject([
      { id: first.id },
      { id: second.id },
    ]);
  });

  test("is refused where its root is in another room, gone or nowhere, all alike", async () => {
    const elsewhere = await world.room(`other-${rooms++}`, eve);
    const there = await eve.say(elsewhere, "there");
    const message = await ada.say(room, "gone");
    await ada.delete(`/api/messages/${message.id}`);
    const answers = [];
    for (const id of [there.id, message.id, Bun.randomUUIDv7()]) {
      answers.push(await post(bob, { content: "hello?", thread_id: id }));
    }
    for (const answer of answers) expectProblem(answer, 422, "unknown_thread");
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test("begins no thread where threads are off, and goes on in one that is there", async () => {
    const [old, root] = [await ada.say(room, "old"), await ada.say(room, "new")];
    await reply(bob, old, "one");
    const denied = await bob.patch(`/api/rooms/${room}`, { threads: "off" });
    expectProblem(denied, 403, "role_required");
    const off = await ada.patch(`/api/rooms/${room}`, { threads: "off" });
    expect(off.body.threads).toBe("off");
    expectProblem(await post(bob, { content: "x", thread_id: root.id }), 409, "threads_off");
    expect(await reply(bob, old, "two")).toMatchObject({ thread_id: old.id });
    await ada.patch(`/api/rooms/${room}`, { threads: "on" });
    expect(await reply(bob, root, "now")).toMatchObject({ thread_id: root.id });
  });

  test("is refused in a direct conversation, where quotes are taken", async () => {
    const { body: direct } = await ada.post("/api/direct", { user_ids: [bob.user.id] });
    const message = await ada.say(direct.id, "psst");
    const answer = await post(bob, { content: "what?", thread_id: message.id }, direct.id);
    expectProblem(answer, 409, "threads_off");
    expect(await bob.say(direct.id, "what?", { quote_id: message.id })).toMatchObject({
      quote: { id: message.id, excerpt: "psst" },
    });
  });

  test("costs others nothing in a batch in which it is refused", async () => {
    const root = await ada.say(room, "root");
    const answers = await Promise.all([
      post(bob, { content: "plain" }),
      post(bob, { content: "reply", thread_id: root.id }),
      post(bob, { content: "lost", thread_id: Bun.randomUUIDv7() }),
      post(bob, { content: "@ada, look", thread_id: root.id, quote_id: root.id }),
      post(bob, { content: "lost too", quote_id: Bun.randomUUIDv7() }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 422, 201, 422]);
    expect((await threadOf(ada, root)).root.thread).toMatchObject({ reply_count: 2 });
  });
});

test("a mention in a reply counts in the room, until the room is read", async () => {
  const root = await ada.say(room, "root");
  const mark = async () => (await bob.get(`/api/rooms/${room}`)).body.membership;
  await bob.post(`/api/rooms/${room}/read`, {});
  await reply(ada, root, `what do you say, @${bob.user.username}?`);
  expect(await mark()).toMatchObject({ unread: true, mention_count: 1 });
  // Reading the thread is not reading the room.
  await bob.post(`/api/messages/${root.id}/thread/read`);
  expect(await mark()).toMatchObject({ mention_count: 1 });
  await bob.post(`/api/rooms/${room}/read`, {});
  expect(await mark()).toMatchObject({ unread: false, mention_count: 0 });
});

describe("a quote", () => {
  test("shows what it quotes, as that is now", async () => {
    const message = await ada.say(room, "the _first_ word");
    const quoting = await bob.say(room, "yes", { quote_id: message.id });
    expect(quoting.quote).toEqual({
      id: message.id,
      author: { ...message.author },
      excerpt: "the first word",
      has_image: false,
      has_file: false,
      created_at: message.created_at,
    });
    await ada.patch(`/api/messages/${message.id}`, { content: "the last word" });
    const read = () => bob.get(`/api/messages/${quoting.id}`).then(({ body }) => body.quote);
    expect(await read()).toMatchObject({ excerpt: "the last word" });
    await ada.delete(`/api/messages/${message.id}`);
    expect(await read()).toEqual({ id: message.id, is_gone: true });
  });

  test("is cut at a word's end, and in a word that is longer", async () => {
    const long = await ada.say(room, `${"word ".repeat(100)}`);
    const { quote } = await bob.say(room, "x", { quote_id: long.id });
    expect(quote.excerpt).toBe(`${"word ".repeat(59)}word…`);
    const unbroken = await ada.say(room, "w".repeat(400));
    const cut = await bob.say(room, "x", { quote_id: unbroken.id });
    expect(cut.quote.excerpt).toBe(`${"w".repeat(299)}…`);
  });

  test("of another room is refused as one that never was", async () => {
    const elsewhere = await world.room(`other-${rooms++}`, eve, [bob]);
    const there = await eve.say(elsewhere, "there");
    const answers = [
      await post(bob, { content: "x", quote_id: there.id }),
      await post(bob, { content: "x", quote_id: Bun.randomUUIDv7() }),
    ];
    for (const answer of answers) expectProblem(answer, 422, "unknown_quote");
    expect(JSON.stringify(answers[0]?.body)).toBe(JSON.stringify(answers[1]?.body));
  });
});

describe("the thread of a message", () => {
  test("has pages, before, after and around a reply", async () => {
    const root = await ada.say(room, "root");
    expect(await threadOf(bob, root)).toMatchObject({
      root: { id: root.id },
      items: [],
      has_more_before: false,
      has_more_after: false,
      follow: { is_following: false, read_seq: null },
    });
    const replies = [];
    for (let n = 0; n < 7; n++) {
      replies.push(await reply(bob, root, `${n}`));
      await ada.say(room, "between");
    }
    const texts = async (query: string) => {
      const { items, has_more_before, has_more_after } = await threadOf(ada, root, query);
      return [
        items.map((item: { content: string }) => item.content).join(""),
        has_more_before,
        has_more_after,
      ];
    };
    expect(await texts("?limit=3")).toEqual(["456", true, false]);
    expect(await texts(`?limit=3&before=${replies[4].id}`)).toEqual(["123", true, true]);
    expect(await texts(`?limit=3&after=${replies[1].id}`)).toEqual(["234", true, true]);
    expect(await texts(`?limit=3&after=${root.id}`)).toEqual(["012", true, true]);
    expect(await texts(`?limit=4&around=${replies[3].id}`)).toEqual(["2345", true, true]);
    const atMark = "around_read_mark=true";
    await ada.post(`/api/messages/${root.id}/thread/read`, {});
    await ada.post(`/api/messages/${root.id}/thread/unread`, { message_id: replies[3].id });
    expect(await texts(`?limit=5&${atMark}`)).toEqual(["23456", true, false]);
    expect(await texts(`?limit=2&${atMark}`)).toEqual(["23", true, true]);
    await ada.post(`/api/messages/${root.id}/thread/read`, {});
    expect(await texts(`?limit=2&${atMark}`)).toEqual(["56", true, false]);
    const two = `/api/messages/${root.id}/thread?${atMark}&after=${root.id}`;
    expectProblem(await ada.get(two), 422, "validation");
    const other = await ada.say(room, "not in it");
    const path = `/api/messages/${root.id}/thread?around=${other.id}`;
    expectProblem(await ada.get(path), 404, "message_not_found");
  });

  test("is left out of a page of what is at the top", async () => {
    const root = await ada.say(room, "root");
    await reply(bob, root, "a reply");
    await bob.say(room, "on top");
    const { body } = await bob.get(`/api/rooms/${room}/messages?top=true`);
    expect(body.items.map((item: { content: string }) => item.content)).toEqual(["root", "on top"]);
  });
});

test("the event of a reply carries its thread, and unread its root", async () => {
  const root = await ada.say(room, "root");
  const [open, away] = [await ada.socket(), await bob.socket()];
  await open.join(room);
  const message = await reply(ada, root, "one");
  expect(await open.next("message")).toMatchObject({
    message: { id: message.id, root: { id: root.id } },
    root_thread: { reply_count: 1, last_reply_seq: message.seq },
  });
  expect(await away.next("unread")).toMatchObject({ message_id: message.id, thread_id: root.id });
  const log = await bob.get(`/api/rooms/${room}/changes?after=${message.seq - 1}`);
  expect(log.body.items).toMatchObject([{ type: "message", root_thread: { reply_count: 1 } }]);
  open.close();
  away.close();
});
