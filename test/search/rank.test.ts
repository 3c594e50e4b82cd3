import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { findTexts, indexEverything, search } from "../support/search.ts";
import { World } from "../support/world.ts";

const LONG = "and so on, and on, ".repeat(10);

let world: World;
let ada: Client;
let finder: Client;
let room: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  finder = await world.bot("finder", ["read:messages"]);
  room = await world.room("engines", ada, [finder]);
  for (const text of [
    "the engine of the engine: an engine",
    "the engine runs",
    `${LONG} engine`,
    "the engineering",
    "nothing of it",
  ]) {
    await ada.say(room, text);
  }
  await indexEverything(world.database);
});
afterAll(() => world.stop());

test("by relevance, more words come before one, short texts before long ones, and beginnings last", async () => {
  const texts = await findTexts(finder, "engine", { sort: "relevance" });
  expect(texts).toEqual([
    "the engine of the engine: an engine",
    "the engine runs",
    `${LONG} engine`,
    "the engineering",
  ]);
  expect(await findTexts(finder, "engine", { sort: "newest" })).toEqual([
    "the engineering",
    `${LONG} engine`,
    "the engine runs",
    "the engine of the engine: an engine",
  ]);
});

test("the best are one page, and of equal ones the newest come first", async () => {
  const best = await search(finder, { q: "engine", sort: "relevance", limit: "1" });
  expect(best).toMatchObject({ next: null, searched_until: null });
  expect(best.items.map(({ message }) => message.content)).toEqual([
    "the engine of the engine: an engine",
  ]);
  const inRoom = await findTexts(finder, "from:ada", { sort: "relevance" });
  expect(inRoom).toEqual(await findTexts(finder, "from:ada"));
});

test("a cursor is refused by relevance, whose results are one page", async () => {
  const { next } = await search(finder, { q: "engine", limit: "1" });
  const query = `q=engine&cursor=${next}`;
  expect((await finder.get(`/api/search/messages?${query}`)).status).toBe(200);
  const refused = await finder.get(`/api/search/messages?${query}&sort=relevance`);
  expectProblem(refused, 422, "validation");
  expect(refused.body.errors).toEqual([{ path: "/cursor", message: expect.any(String) }]);
});

test("no more than the newest 500 messages that match are ranked", async () => {
  const { sql } = world.database;
  const other = await world.room("quartz", ada, [finder]);
  await ada.say(other, "quartz quartz quartz");
  const { id } = await ada.say(other, "quartz");
  // The room has a position in the index, whether or not the service was first.
  await indexEverything(world.database);
  const ids = Array.from({ length: 500 }, () => Bun.randomUUIDv7());
  await sql`
    insert into messages (id, room_id, seq, author_id, content, created_at)
    select added, room_id, seq + n, author_id, 'quartz', created_at
    from messages, unnest(${ids}::uuid[]) with ordinality as t(added, n) where id = ${id}`;
  await sql`update rooms set last_seq = last_seq + 500 where id = ${other}`;
  await sql`update search_rooms set after_seq = 0, back_seq = 600 where room_id = ${other}`;
  await indexEverything(world.database, true);
  const { items, next, searched_until } = await search(finder, {
    q: "quartz",
    sort: "relevance",
    limit: "50",
  });
  expect(items).toHaveLength(50);
  expect(items.map(({ message }) => message.content)).not.toContain("quartz quartz quartz");
  expect([next, searched_until]).toEqual([null, expect.any(String)]);
  const { items: oldest } = await search(finder, { q: "quartz", sort: "oldest", limit: "1" });
  expect(oldest[0]?.message.content).toBe("quartz quartz quartz");
});
