import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { removeMember } from "../../src/rooms/members.ts";
import type { Activity } from "../../src/wire/activity.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let eve: Client;
let room: string;
let count = 0;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Ada has the list; Bob and Eve do things. */
async function meet(): Promise<void> {
  const n = count++;
  [ada, bob, eve] = await Promise.all([
    world.person(`ada${n}`),
    world.person(`bob${n}`, { displayName: "Bob" }),
    world.person(`eve${n}`),
  ]);
  room = await world.room(`room-${n}`, ada, [bob, eve]);
}

const list = async (who = ada, query = ""): Promise<Activity[]> =>
  (await who.get(`/api/activity${query}`)).body.items;
const unread = async (who = ada) => (await who.get("/api/activity/unread")).body;
const react = (who: Client, id: string, emoji: string) =>
  who.post(`/api/messages/${id}/reactions`, { emoji });
const contents = (items: Activity[]) => items.map(({ message }) => message.content);
const seen = (at: string) => ada.post("/api/activity/read", { at });

describe("the list of what concerns me", () => {
  test("has mentions by name, of all and of those online, the newest first", async () => {
    await meet();
    await bob.say(room, "no one");
    const first = await bob.say(room, `@${ada.user.username} one`);
    await ada.say(room, `@${ada.user.username} and @room, by me`);
    await eve.say(room, "@room two");
    await eve.say(room, "@here, and nobody is");
    const items = await list();
    expect(contents(items)).toEqual(["@room two", first.content]);
    expect(items[1]).toEqual({
      type: "mention",
      at: first.created_at,
      is_unread: true,
      room: { id: room, name: `room-${count - 1}` },
      message: { ...first, client_id: null },
      users: [first.author],
      user_count: 1,
      emojis: [],
    });
    expect(await unread()).toMatchObject({
      mentions: [{ room_id: room, count: 2, seq: items[0]?.message.seq }],
      reactions: 0,
    });
    expect(contents(await list(bob))).toEqual([
      "@room two",
      `@${ada.user.username} and @room, by me`,
    ]);
  });

  test("has the entries of one type, page by page", async () => {
    await meet();
    const { id } = await ada.say(room, "done");
    for (const text of ["one", "two", "three"])
      await bob.say(room, `@${ada.user.username} ${text}`);
    await bob.say(room, "a reply", { thread_id: id });
    await react(bob, id, "🎉");
    expect((await list(ada, "?type=reaction")).map(({ message }) => message.id)).toEqual([id]);
    expect(contents(await list(ada, "?type=reply"))).toEqual(["a reply"]);
    const { body } = await ada.get("/api/activity?type=mention&limit=2");
    const rest = await ada.get(`/api/activity?type=mention&limit=2&cursor=${body.next}`);
    expect(contents([...body.items, ...rest.body.items])).toEqual(
      ["three", "two", "one"].map((text) => `@${ada.user.username} ${text}`),
    );
    expect(rest.body.next).toBeNull();
    expectProblem(await ada.get("/api/activity?type=other"), 422, "validation");
  });

  test("has one entry for all reactions to a message, of the newest", async () => {
    await meet();
    const { id } = await ada.say(room, "done");
    const { id: other } = await ada.say(room, "also done");
    await react(bob, id, "🎉");
    await react(eve, other, "👍");
    await react(eve, id, "🎉");
    await react(eve, id, "🚀");
    await react(ada, id, "🙈");
    const [first, second] = await list();
    expect(first).toMatchObject({
      type: "reaction",
      is_unread: true,
      user_count: 2,
      emojis: ["🎉", "🚀"],
      message: { id },
      users: [{ id: eve.user.id }, { id: bob.user.id, display_name: "Bob" }],
    });
    expect(second).toMatchObject({ message: { id: other }, user_count: 1, emojis: ["👍"] });
    expect((await unread()).reactions).toBe(2);
    await react(eve, other, "👍");
    expect((await list()).map(({ message }) => message.id)).toEqual([id]);
    expect(await list(bob)).toEqual([]);
  });

  test("has the newest reply of others in each thread of mine, unless it mentions me", async () => {
    await meet();
    const root = await ada.say(room, "shall we?");
    const other = await bob.say(room, "mine?");
    const answer = (who: Client, content: string, thread_id = root.id) =>
      who.say(room, content, { thread_id });
    await answer(bob, "yes");
    await answer(ada, "not to Ada", other.id);
    const newest = await answer(eve, "no");
    await answer(ada, "well");
    expect(await list()).toMatchObject([
      {
        type: "reply",
        at: newest.created_at,
        is_unread: false,
        user_count: 2,
        message: { id: newest.id, root: { id: root.id } },
        users: [newest.author],
      },
    ]);
    const later = await answer(bob, "later");
    expect(await list()).toMatchObject([{ message: { id: later.id }, is_unread: true }]);
    expect(contents(await list(bob))).toEqual(["not to Ada"]);
    await ada.post(`/api/messages/${root.id}/thread/read`);
    expect(await list()).toMatchObject([{ message: { id: later.id }, is_unread: false }]);
    const named = await answer(eve, `@${ada.user.username}!`);
    expect(await list()).toMatchObject([{ type: "mention", message: { id: named.id } }]);
    await ada.put(`/api/messages/${root.id}/thread/follow`, { is_following: false });
    await answer(bob, "to nobody");
    expect(contents(await list())).toEqual([named.content]);
  });

  test("has a reply that mentions all once, as a mention, unless the room is muted", async () => {
    await meet();
    const root = await ada.say(room, "shall we?");
    const { id } = await bob.say(room, "@room, yes", { thread_id: root.id });
    expect(await list()).toMatchObject([{ type: "mention", message: { id } }]);
    await ada.patch(`/api/rooms/${room}/membership`, { notify: "none" });
    expect(await list()).toMatchObject([{ type: "reply", message: { id } }]);
  });

  test("does not have what a webhook posted, nor what was deleted", async () => {
    await meet();
    const { url } = (await ada.post(`/api/rooms/${room}/incoming-webhooks`, { name: "CI" })).body;
    const body = JSON.stringify({ text: "passed" });
    await fetch(world.service.address + new URL(url).pathname, { method: "POST", body });
    const [passed] = (await ada.get(`/api/rooms/${room}/messages?limit=1`)).body.items;
    await react(bob, passed.id, "🎉");
    const mention = await bob.say(room, "@room, gone");
    const mine = await ada.say(room, "gone too");
    await react(bob, mine.id, "😢");
    await bob.delete(`/api/messages/${mention.id}`);
    await ada.delete(`/api/messages/${mine.id}`);
    expect(await list()).toEqual([]);
    expect(await unread()).toMatchObject({ mentions: [], reactions: 0 });
  });

  test("has the rooms that I am in now, and nothing from before I came", async () => {
    await meet();
    const other = await world.room(`other-${count}`, bob, []);
    await bob.say(other, "@room, before Ada came");
    await bob.post(`/api/rooms/${other}/members`, { user_id: ada.user.id });
    await bob.say(other, "@room, welcome");
    const mine = await ada.say(other, "thanks");
    await react(bob, mine.id, "👍");
    expect(contents(await list())).toEqual(["thanks", "@room, welcome"]);
    await removeMember(world.database.db, bob.user.id, other, ada.user.id);
    expect(await list()).toEqual([]);
    expect(await unread()).toMatchObject({ mentions: [], reactions: 0 });
  });

  test("has mentions by name of a muted room, read; and none of all", async () => {
    await meet();
    await ada.patch(`/api/rooms/${room}/membership`, { notify: "none" });
    await bob.say(room, "@room");
    await bob.say(room, `@${ada.user.username}, only you`);
    expect((await list()).map((item) => [item.message.content, item.is_unread])).toEqual([
      [`@${ada.user.username}, only you`, false],
    ]);
    expect((await unread()).mentions).toEqual([]);
  });

  test("comes page by page, over rooms and kinds", async () => {
    await meet();
    const other = await world.room(`paged-${count}`, ada, [bob]);
    const expected: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      expected.push((await bob.say(i % 2 ? room : other, `@room ${i}`)).id);
      const mine = await ada.say(i % 2 ? other : room, `mine ${i}`);
      await react(bob, mine.id, "👍");
      expected.push(mine.id);
    }
    const found: string[] = [];
    let cursor = "";
    for (let pages = 0; pages < 4; pages += 1) {
      const { body } = await ada.get(`/api/activity?limit=3${cursor}`);
      found.push(...body.items.map((item: Activity) => item.message.id));
      if (!body.next) break;
      cursor = `&cursor=${body.next}`;
    }
    expect(found).toEqual(expected.toReversed());
    expectProblem(await ada.get("/api/activity?cursor=eA"), 422, "validation");
  });
});

describe("the mark of the list", () => {
  test("moves forward alone, and what is read in its room is read here", async () => {
    await meet();
    const first = await bob.say(room, "@room one");
    const second = await bob.say(room, "@room two");
    expect((await seen(first.created_at)).body.mentions).toEqual([
      { room_id: room, count: 1, seq: second.seq },
    ]);
    const isUnread = async () => (await list()).map((item) => item.is_unread);
    expect(await isUnread()).toEqual([true, false]);
    await seen("2020-01-01T00:00:00Z");
    expect((await unread()).read_at).toBe(first.created_at);
    await ada.post(`/api/rooms/${room}/read`, { message_id: second.id });
    expect(await isUnread()).toEqual([false, false]);
    expect((await unread()).mentions).toEqual([]);
    // Not past now, so that nothing that is still to come is read.
    await seen("2999-01-01T00:00:00Z");
    await bob.say(room, "@room three");
    expect(await isUnread()).toEqual([true, false, false]);
  });

  test("reaches all screens of the person, as new reactions do", async () => {
    await meet();
    const { id, created_at } = await ada.say(room, "mine");
    const socket = await ada.socket();
    const other = await bob.socket();
    await react(bob, id, "🎉");
    expect((await socket.next("activity_updated")).unread).toMatchObject({ reactions: 1 });
    const [item] = await list();
    await seen(item?.at ?? created_at);
    expect((await socket.next("activity_updated")).unread).toEqual({
      read_at: item?.at,
      mentions: [],
      reactions: 0,
    });
    expect((await other.drain()).filter(({ type }) => type === "activity_updated")).toEqual([]);
    for (const one of [socket, other]) one.close();
  });
});
