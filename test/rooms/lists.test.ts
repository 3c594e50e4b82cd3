import { afterAll, beforeAll, expect, test } from "bun:test";
import { announceKeywordHits, insertKeywordHits } from "../../src/activity/keywords.ts";
import type { MyRoom } from "../../src/wire/models.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let owner: Client;
let member: Client;
let roomId: string;
beforeAll(async () => {
  world = await World.start();
  owner = await world.person("owner");
  member = await world.person("member");
  roomId = await world.room("listed", owner, [member], "open");
  await world.room("other", owner, [member], "open");
});
afterAll(() => world.stop());

async function listed(path: string): Promise<MyRoom | undefined> {
  const { body } = await member.get(path);
  return body.items.find(({ id }: MyRoom) => id === roomId);
}

type Change = [what: string, make: () => Promise<unknown>];
let message: { id: string };
const changes: Change[] = [
  ["name", () => owner.patch(`/api/rooms/${roomId}`, { name: "renamed" })],
  ["description", () => owner.patch(`/api/rooms/${roomId}`, { description: "New" })],
  ["owner's name", () => owner.patch("/api/auth/me", { display_name: "Olga" })],
  ["message", async () => (message = await owner.say(roomId, "hello @member"))],
  [
    "edit that takes a mention back",
    () => owner.patch(`/api/messages/${message.id}`, { content: "x" }),
  ],
  ["deletion", () => owner.delete(`/api/messages/${message.id}`)],
  ["message", () => owner.say(roomId, "again")],
  ["keyword in it", () => findKeyword()],
  ["read mark", () => member.post(`/api/rooms/${roomId}/read`, {})],
  ["setting", () => member.patch(`/api/rooms/${roomId}/membership`, { notify: "none" })],
  ["favourite", () => member.patch(`/api/rooms/${roomId}/membership`, { pinned: true })],
  ["role", () => owner.patch(`/api/rooms/${roomId}/members/${member.user.id}`, { role: "admin" })],
  ["archiving", () => world.archive("renamed", true)],
  ["bringing back", () => world.archive("renamed", false)],
  ["owner", () => owner.post(`/api/rooms/${roomId}/transfer`, { user_id: member.user.id })],
];

/** Stores that the newest message contains a keyword of the member, as the search for keywords does. */
async function findKeyword() {
  const { sql } = world.database;
  const [newest] = await sql<{ id: string }[]>`
    select id from messages where room_id = ${roomId} order by seq desc limit 1`;
  const match = { messageId: newest?.id ?? "", userId: (member.user as { id: string }).id };
  await announceKeywordHits(sql, await insertKeywordHits(sql, [match]));
}

test.each(changes)(
  "the list shows a change of the %s at once, as the room itself does",
  async (_, make) => {
    const before = await listed("/api/rooms?all=true");
    await make();
    const after = await listed("/api/rooms?all=true");
    expect(await listed("/api/rooms")).toEqual(after);
    expect(after).not.toEqual(before);
    const { body } = await member.get(`/api/rooms/${roomId}`);
    expect(after).toEqual(body);
    if (!body.is_archived) expect(await listed("/api/rooms/browse")).toEqual(body);
  },
);

test("a room is in the list and out of it with the membership", async () => {
  const visitor = await world.person("visitor");
  const names = async (path: string) =>
    (await visitor.get(path)).body.items.map(({ name, membership }: MyRoom) => [
      name,
      membership?.role,
    ]);
  expect(await names("/api/rooms")).toEqual([]);
  await visitor.post(`/api/rooms/${roomId}/join`, {});
  expect(await names("/api/rooms")).toEqual([["renamed", "member"]]);
  expect(await names("/api/rooms/browse")).toContainEqual(["renamed", "member"]);
  await visitor.post(`/api/rooms/${roomId}/leave`, {});
  expect(await names("/api/rooms")).toEqual([]);
  expect(await names("/api/rooms/browse")).toContainEqual(["renamed", undefined]);
});

test("all rooms come in one answer where all are wanted, whatever the limit is", async () => {
  const { body } = await member.get("/api/rooms?all=true&limit=1");
  expect(body.items.map(({ name }: MyRoom) => name)).toEqual(["other", "renamed"]);
  expect(body.next).toBeNull();
  const page = await member.get("/api/rooms?limit=1");
  expect(page.body.items).toEqual(body.items.slice(0, 1));
  const rest = await member.get(`/api/rooms?all=true&cursor=${page.body.next}`);
  expect(rest.body.items).toEqual(body.items.slice(1));
  expect((await member.get("/api/rooms?all=false")).status).toBe(422);
});

test("a list is as current on another instance", async () => {
  const service = await world.secondInstance();
  const elsewhere = await world.signIn(member.user as { id: string; username: string }, service);
  await elsewhere.get("/api/rooms");
  await owner.say(roomId, "from the first");
  const { body } = await elsewhere.get("/api/rooms");
  expect(body).toEqual((await member.get("/api/rooms")).body);
  expect(body.items[1].membership.unread).toBe(true);
});
