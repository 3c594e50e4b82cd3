import { afterAll, beforeAll, expect, test } from "bun:test";
import { HistoryPages } from "../../src/messages/history.ts";
import { requireMembership } from "../../src/rooms/access.ts";
import type { JoinRun } from "../../src/wire/models.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
const people: Client[] = [];
let roomId: string;
const ids: string[] = [];
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  roomId = await world.room("hall", ada);
  const join = async (...names: string[]) => {
    for (const name of names) {
      people.push(await world.person(name));
      await ada.post(`/api/rooms/${roomId}/members`, { username: name });
    }
  };
  const say = async (text: string) => ids.push((await ada.say(roomId, text)).id);
  await join("bob");
  await say("0");
  await say("1");
  await join("carol", "dora", "eve", "fay");
  await say("2");
  await say("3");
  await join("gus");
});
afterAll(() => world.stop());

async function read(query: string, path = `/api/rooms/${roomId}/messages`) {
  const { status, body } = await ada.get(`${path}?${query}`);
  expect(status).toBe(200);
  return body.joins.map(({ count, users }: JoinRun) => [
    count,
    ...users.map(({ username }) => username),
  ]);
}

test("a page has who joined between its messages, the first three of each run by name", async () => {
  expect(await read("joins=true")).toEqual([
    [1, "bob"],
    [4, "carol", "dora", "eve"],
    [1, "gus"],
  ]);
});

test("pages that continue each other have each run once", async () => {
  expect(await read("joins=true&limit=2")).toEqual([[1, "gus"]]);
  expect(await read(`joins=true&limit=1&before=${ids[2]}`)).toEqual([[4, "carol", "dora", "eve"]]);
  expect(await read(`joins=true&limit=1&before=${ids[1]}`)).toEqual([[1, "bob"]]);
  expect(await read(`joins=true&limit=1&before=${ids[0]}`)).toEqual([[1, "bob"]]);
  expect(await read(`joins=true&limit=1&after=${ids[1]}`)).toEqual([[4, "carol", "dora", "eve"]]);
  expect(await read(`joins=true&limit=1&after=${ids[3]}`)).toEqual([[1, "gus"]]);
  expect(await read(`joins=true&limit=2&around=${ids[1]}`)).toEqual([[4, "carol", "dora", "eve"]]);
});

test("without the parameter there is no list, and the messages are the same", async () => {
  const { body } = await ada.get(`/api/rooms/${roomId}/messages?joins=true`);
  const { joins: _, ...others } = body;
  expect((await ada.get(`/api/rooms/${roomId}/messages`)).body).toEqual(others);
});

test("an empty room has who joined it, and its creator did not", async () => {
  const id = await world.room("empty", ada, [people[0] as Client]);
  expect(await read("joins=true", `/api/rooms/${id}/messages`)).toEqual([[1, "bob"]]);
});

test("a conversation has none", async () => {
  const direct = await ada.post("/api/direct", { user_ids: [people[0]?.user.id] });
  expect(await read("joins=true", `/api/rooms/${direct.body.id}/messages`)).toEqual([]);
});

test("who joins is not unread, and changes the page at once", async () => {
  const bob = people[0] as Client;
  await bob.post(`/api/rooms/${roomId}/read`);
  const late = await world.person("late");
  await ada.post(`/api/rooms/${roomId}/members`, { username: "late" });
  expect((await read("joins=true")).at(-1)).toEqual([2, "gus", "late"]);
  const { body } = await bob.get(`/api/rooms/${roomId}`);
  expect(body.membership).toMatchObject({ unread: false, mention_count: 0 });
  await ada.delete(`/api/rooms/${roomId}/members/${late.user.id}`);
});

test("who joins after the events that the page includes is not in it", async () => {
  const { sql } = world.database;
  const room = await requireMembership(sql, ada.user.id, roomId, "member");
  const newcomer = await world.person("newcomer");
  await ada.post(`/api/rooms/${roomId}/members`, { username: "newcomer" });
  const query = { joins: "true", limit: 50 } as const;
  const page = JSON.parse(await new HistoryPages(sql).read(ada.user.id, roomId, room, query));
  expect(page.seq).toBe(room.last_seq);
  expect(page.joins.at(-1).last_seq).toBeLessThanOrEqual(page.seq);
  await ada.delete(`/api/rooms/${roomId}/members/${newcomer.user.id}`);
});

test("only members see it", async () => {
  const stranger = await world.person("stranger");
  const response = await stranger.get(`/api/rooms/${roomId}/messages?joins=true`);
  expectProblem(response, 404, "room_not_found");
});
