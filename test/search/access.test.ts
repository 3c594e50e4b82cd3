import { afterAll, beforeAll, expect, test } from "bun:test";
import { removeMember } from "../../src/rooms/members.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { findTexts, indexEverything, search } from "../support/search.ts";
import { people, World } from "../support/world.ts";

let world: World;
let cast: Awaited<ReturnType<typeof people>>;
let bot: Client;
let deaf: Client;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
  bot = await world.bot("finder", ["read:messages", "write:messages"]);
  deaf = await world.bot("deaf", ["write:messages"]);
  for (const user of [bot.user, deaf.user]) {
    await cast.owner.post(`/api/rooms/${cast.rooms.secret}/members`, { user_id: user.id });
  }
  await cast.owner.say(cast.rooms.open, "badger in the open");
  await cast.owner.say(cast.rooms.secret, "badger in secret");
  await indexEverything(world.database);
});
afterAll(() => world.stop());

const ask = (client: Client, query: Record<string, string>) =>
  client.get(`/api/search/messages?${new URLSearchParams(query)}`);

test("everyone finds what is in the rooms that they are in now, and nobody anything else", async () => {
  const both = ["badger in secret", "badger in the open"];
  for (const who of ["owner", "roomAdmin", "member"] as const) {
    expect(await findTexts(cast[who], "badger")).toEqual(both);
  }
  // A site administrator reads no room by being one; an open room is read once it is joined.
  for (const who of ["admin", "outsider", "removed"] as const) {
    const answer = await search(cast[who], { q: "badger" });
    expect(answer).toEqual({
      items: [],
      next: null,
      searched_until: null,
      is_complete: true,
      unknown: [],
    });
  }
  expect(await findTexts(bot, "badger")).toEqual(["badger in secret"]);
  expectProblem(await ask(deaf, { q: "badger" }), 403, "insufficient_scope");
  expectProblem(await ask(cast.deactivated, { q: "badger" }), 401, "unauthenticated");
  expectProblem(await ask(world.anonymous, { q: "badger" }), 401, "unauthenticated");
});

test("a hidden room is refused and unknown like one that never was", async () => {
  const { outsider, rooms } = cast;
  const hidden = await ask(outsider, { q: "badger", room_id: rooms.secret });
  const none = await ask(outsider, { q: "badger", room_id: Bun.randomUUIDv7() });
  expectProblem(hidden, 404, "room_not_found");
  expect(hidden.body).toEqual(none.body);
  expectProblem(await ask(outsider, { q: "badger", room_id: rooms.open }), 403, "not_a_member");
  for (const name of ["secret-room", "open-room", "no-such-room"]) {
    const answer = await search(outsider, { q: `badger in:${name}` });
    expect(answer).toEqual({
      items: [],
      next: null,
      searched_until: null,
      is_complete: true,
      unknown: [`in:${name}`],
    });
  }
  const [secret] = (await search(cast.owner, { q: "secret badger" })).items;
  const root = { q: "badger", thread_id: secret?.message.id ?? "" };
  expectProblem(await ask(outsider, root), 404, "message_not_found");
  expect((await search(cast.owner, root)).items).toMatchObject([{ message: secret?.message }]);
});

test("a removal between two pages ends what is found", async () => {
  const { owner, outsider } = cast;
  const room = await world.room("burrow", owner, [outsider]);
  for (const n of [1, 2, 3]) await owner.say(room, `otter ${n}`);
  await indexEverything(world.database);
  const first = await search(outsider, { q: "otter", limit: "1" });
  expect(first.items).toHaveLength(1);
  await removeMember(world.database.db, owner.user.id, room, outsider.user.id);
  const second = await search(outsider, { q: "otter", limit: "1", cursor: first.next ?? "" });
  expect(second).toMatchObject({ items: [], next: null, unknown: [] });
  const named = await search(outsider, { q: "otter in:burrow" });
  expect(named).toMatchObject({ items: [], unknown: ["in:burrow"] });
});

test("an index that is behind shows no old text and nothing deleted", async () => {
  const { owner, member, rooms } = cast;
  const { sql } = world.database;
  const edited = await owner.say(rooms.open, "stoat before the edit `x` @member");
  const deleted = await owner.say(rooms.open, "stoat to be deleted");
  await indexEverything(world.database);
  expect(await findTexts(member, "stoat")).toHaveLength(2);
  // From now on nothing is indexed: another version would do it.
  await sql`update search_rooms set version = 999`;
  await owner.patch(`/api/messages/${edited.id}`, { content: "weasel after the edit" });
  await owner.delete(`/api/messages/${deleted.id}`);
  for (const q of ["stoat", "stoat -weasel", "has:code", "mentions:member", '"stoat to be"']) {
    expect(await findTexts(member, q)).toEqual([]);
  }
  expect(await findTexts(member, "edit")).toEqual(["weasel after the edit"]);
  await sql`update search_rooms set version = 1`;
  await indexEverything(world.database);
  expect(await findTexts(member, "weasel")).toEqual(["weasel after the edit"]);
});

test("conversations are searched by those in them, and named by the other person", async () => {
  const { owner, member, outsider } = cast;
  const open = async (userIds: string[]) => {
    const { body } = await owner.post("/api/direct", { user_ids: userIds });
    return body.id;
  };
  const pair = await open([member.user.id]);
  await owner.say(pair, "marten between us");
  await member.say(pair, "marten indeed");
  await owner.say(await open([]), "marten to remember");
  await indexEverything(world.database);
  expect(await findTexts(owner, "marten in:@member")).toEqual([
    "marten indeed",
    "marten between us",
  ]);
  expect(await findTexts(member, "marten in:@owner from:me")).toEqual(["marten indeed"]);
  expect(await findTexts(owner, "marten in:@me")).toEqual(["marten to remember"]);
  const [item] = (await search(member, { q: "marten" })).items;
  expect(item?.room).toEqual({ id: pair, kind: "direct", name: null });
  // Site administrators and others find nothing of them, and no more than of people who do not exist.
  for (const who of [cast.admin, outsider]) {
    const q = "marten in:@member";
    expect(await search(who, { q })).toMatchObject({ items: [], unknown: ["in:@member"] });
    expect(await findTexts(who, "marten")).toEqual([]);
    expect((await ask(who, { q: "marten", room_id: pair })).status).toBe(404);
  }
});

test("archived rooms and deactivated authors stay findable", async () => {
  const { owner } = cast;
  const author = await world.person("leaver");
  const room = await world.room("archive", owner, [author]);
  await author.say(room, "heron at rest");
  await indexEverything(world.database);
  await world.archive("archive", true);
  await world.database.sql`update users set is_active = false where id = ${author.user.id}`;
  expect(await findTexts(owner, "heron from:leaver in:archive")).toEqual(["heron at rest"]);
});

test("a deleted room leaves nothing in the index, small or large", async () => {
  const { owner } = cast;
  const { sql } = world.database;
  const count = async (roomId: string) => {
    const [row] =
      await sql`select count(*)::int as n from message_search where room_id = ${roomId}`;
    return row?.n;
  };
  const room = await world.room("short-lived", owner);
  await owner.say(room, "heron here");
  await indexEverything(world.database);
  expect(await count(room)).toBe(1);
  await owner.delete(`/api/rooms/${room}`);
  expect(await count(room)).toBe(0);
});
