import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { findMatches, makeIndex } from "../../src/activity/keywords.ts";
import { deactivateUser } from "../../src/accounts/administer.ts";
import type { Activity } from "../../src/wire/activity.ts";
import type { MyRoom } from "../../src/wire/models.ts";
import type { Service } from "../../src/service.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";
import {
  OUTSIDE,
  PushService,
  runPushes,
  SETTINGS,
  subscribed,
  type TestBrowser,
} from "../push/support.ts";

let world: World;
let service: PushService;
let other: Service;
let [ada, ben] = [] as unknown as [Client, Client];
let browser: TestBrowser;
let room: string;
let rooms = 0;
beforeAll(async () => {
  service = new PushService();
  world = await World.start(SETTINGS, OUTSIDE);
  other = await world.secondInstance({}, OUTSIDE);
  [ada, ben] = [await world.person("ada"), await world.person("ben")];
  browser = await subscribed(service, ben);
});
beforeEach(async () => {
  room = await world.room(`room-${rooms++}`, ada, [ben]);
  await name(ben, ["deploy", "C++", "Zürich", "上海", "node.js"]);
  service.reset();
});
afterAll(async () => {
  await world.stop();
  await service.stop();
});

const name = (client: Client, keywords: string[]) => client.patch("/api/auth/me", { keywords });
const markOf = async (client: Client, id = room) => {
  const { items } = (await client.get("/api/rooms?all=true")).body;
  return items.find((item: MyRoom) => item.id === id).membership.mention_count;
};

describe("the words of a person", () => {
  test("are set as written, each once", async () => {
    const socket = await ben.socket();
    const { body } = await name(ben, [" Deploy ", "deploy", "DEPLOY", "Zürich", "zurich", "🎉x"]);
    expect(body.keywords).toEqual(["Deploy", "Zürich", "🎉x"]);
    const event = await socket.next((event) => event.user?.version === body.version);
    expect(event.user.keywords).toEqual(body.keywords);
    expect((await ada.get("/api/auth/me")).body.keywords).toEqual([]);
    expect((await ada.get(`/api/users/${ben.user.id}`)).body.keywords).toBeUndefined();
    expect((await name(ben, [])).body.keywords).toEqual([]);
    socket.close();
  });

  test("are at most 20, of 2 to 40 characters, without spaces, and no signs alone", async () => {
    const words = Array.from({ length: 21 }, (_, n) => `word${n}`);
    expect((await name(ben, words.slice(1))).body.keywords).toHaveLength(20);
    for (const bad of [words, ["x"], ["x".repeat(41)], ["two words"], ["!!"], [""]]) {
      expectProblem(await name(ben, bad), 422, "validation");
    }
    expect((await name(ben, ["x".repeat(40), "上海"])).status).toBe(200);
  });

  test.each([
    ["We deploy now", true],
    ["DEPLOY!", true],
    ["**deploy**, now", true],
    ["deployment", false],
    ["redeploy", false],
    ["about C++, then", true],
    ["about C + +", false],
    ["about C", false],
    ["in zurich", true],
    ["去上海吗", true],
    ["in Node.js, as ever", true],
    ["a node. js", false],
    ["nothing", false],
  ])("%p: %p", (content, isFound) => {
    const keywords = ["deploy", "C++", "Zürich", "上海", "node.js"];
    const matches = findMatches(makeIndex([{ id: "ben", keywords }]), { id: "m", content });
    expect(matches).toEqual(isFound ? [{ messageId: "m", userId: "ben" }] : []);
  });
});

describe("a message with one", () => {
  test("counts as a mention, is announced, is in the activity, and is pushed as one", async () => {
    await ben.patch(`/api/rooms/${room}/membership`, { notify: "mentions" });
    const socket = await ben.socket();
    const message = await ada.say(room, "we Deploy today");
    const event = await socket.next((event) => event.type === "read" && event.mention_count === 1);
    expect(event).toMatchObject({ room_id: room, unread: true });
    const isNew = ({ room_id }: { room_id: string }) => room_id === room;
    const { unread } = await socket.next(
      (event) => event.type === "activity_updated" && event.unread.mentions.some(isNew),
    );
    expect(unread.mentions).toContainEqual({ room_id: room, count: 1, seq: message.seq });
    expect(await markOf(ben)).toBe(1);
    const items: Activity[] = (await ben.get("/api/activity")).body.items;
    expect(items[0]).toMatchObject({
      type: "mention",
      message: { id: message.id },
      is_unread: true,
    });
    await runPushes(world, "push");
    expect(await browser.payloads()).toMatchObject([{ message_id: message.id, mention: true }]);
    await ben.post(`/api/rooms/${room}/read`);
    expect(await markOf(ben)).toBe(0);
    // The message itself names nobody, and says nobody's words.
    expect((await ada.get(`/api/messages/${message.id}`)).body.mentions).toEqual([]);
    socket.close();
  });

  test("counts once where it mentions by name too, and goes when it is deleted", async () => {
    const socket = await ben.socket();
    const { id } = await ada.say(room, "@ben, deploy and deploy");
    const second = await ada.say(room, "deploy");
    await socket.next((event) => event.type === "read" && event.mention_count === 2);
    expect(await markOf(ben)).toBe(2);
    await ada.delete(`/api/messages/${second.id}`);
    expect(await markOf(ben)).toBe(1);
    await ada.delete(`/api/messages/${id}`);
    expect(await markOf(ben)).toBe(0);
    socket.close();
  });

  test("reaches nobody outside the room, not its author, and not in a conversation", async () => {
    const { sql } = world.database;
    const secret = await world.room(`secret-${rooms}`, ada);
    const ids = [
      (await ada.say(secret, "deploy")).id,
      (await ben.say(room, "I deploy")).id,
      (
        await ada.say(
          (await ada.post("/api/direct", { user_ids: [ben.user.id] })).body.id,
          "deploy",
        )
      ).id,
    ];
    // One that does reach him shows that the others were looked through.
    const socket = await ben.socket();
    await ada.say(room, "deploy");
    await socket.next((event) => event.type === "read" && event.room_id === room);
    const hits = await sql`select from keyword_hits where message_id = any(${ids}::uuid[])`;
    expect(hits.count).toBe(0);
    socket.close();
  });

  test("posted at another instance reaches by words that were set at the first", async () => {
    await name(ben, ["heliotrope"]);
    const socket = await ben.socket();
    const there = await world.signIn(ada.user, other);
    // Its instance learns of the words by a signal: until then a message is not found by them.
    for (let n = 1; ; n++) {
      await there.say(room, "heliotrope");
      await Bun.sleep(5);
      if ((await markOf(ben)) > 0 || n > 200) break;
    }
    await socket.next((event) => event.type === "read" && event.mention_count > 0);
    await name(ben, []);
    socket.close();
  });

  test("reaches nobody who was deactivated", async () => {
    const person = await world.person("gone");
    await ada.post(`/api/rooms/${room}/members`, { user_id: person.user.id });
    await name(person, ["farewell"]);
    await world.administer("gone", deactivateUser);
    const socket = await ben.socket();
    const { id } = await ada.say(room, "farewell, and deploy");
    await socket.next((event) => event.type === "read" && event.room_id === room);
    const hits = await world.database.sql<{ user_id: string }[]>`
      select user_id from keyword_hits where message_id = ${id}`;
    expect(hits.map(({ user_id }) => user_id)).toEqual([ben.user.id]);
    socket.close();
  });
});
