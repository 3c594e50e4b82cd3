import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { MAX_UNREAD } from "../../src/wire/limits.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let room: string;
let count = 0;
beforeAll(async () => {
  world = await World.start();
  [ada, bob] = await Promise.all([world.person("ada"), world.person("bob")]);
});
afterAll(() => world.stop());
beforeEach(async () => {
  room = await world.room(`counted-${count++}`, ada, [bob]);
});

/** The first page after the read mark, as the client opens a room. */
async function open(client: Client, query = "unread=true") {
  return (await client.get(`/api/rooms/${room}/messages?limit=1&${query}`)).body;
}

/** Writes many messages at once, as if they had come one by one. */
const writeMany = (author: Client, count: number) => world.database.sql`
  with room as (
    update rooms set last_seq = last_seq + ${count} where id = ${room} returning last_seq)
  insert into messages (id, room_id, seq, author_id, content)
  select gen_random_uuid(), ${room}, last_seq - ${count}::int + n, ${author.user.id}, 'more'
  from room, generate_series(1, ${count}::int) n`;

test("a page says how much is unread: others' messages after the mark, without deleted ones", async () => {
  expect((await open(bob)).unread).toMatchObject({ count: 0 });
  await ada.say(room, "before");
  const { last_read_at } = (await bob.post(`/api/rooms/${room}/read`)).body;
  const slip = await ada.say(room, "a slip");
  const root = await ada.say(room, "a root");
  await ada.say(room, "a reply", { thread_id: root.id });
  await bob.say(room, "my own");
  const carol = await world.person("carol");
  await ada.post(`/api/rooms/${room}/members`, { user_id: carol.user.id });
  await writeMany(ada, 499);
  expect((await open(bob)).unread).toEqual({ last_read_at, count: 502 });
  await ada.delete(`/api/messages/${slip.id}`);
  // It stays as the root of its thread.
  await ada.delete(`/api/messages/${root.id}`);
  const page = await open(bob, `unread=true&at=${last_read_at}`);
  expect(page.unread).toEqual({ last_read_at, count: 500 });
  expect((await bob.get(`/api/rooms/${room}`)).body.seq).toBe(page.seq);
  expect((await open(ada)).unread.count).toBe(1);
});

test("the count is everyone's own on the same cached page, and only where it is asked for", async () => {
  await bob.post(`/api/rooms/${room}/read`);
  await ada.say(room, "hello");
  const [mine, theirs] = await Promise.all([open(ada), open(bob)]);
  expect([mine.unread.count, theirs.unread.count]).toEqual([0, 1]);
  await bob.post(`/api/rooms/${room}/read`);
  expect((await open(bob)).unread.count).toBe(0);
  expect(await open(bob, "")).not.toHaveProperty("unread");
  expectProblem(await bob.get(`/api/rooms/${room}/messages?unread=yes`), 422, "validation");
});

test("counting stops at a thousand", async () => {
  await writeMany(ada, MAX_UNREAD + 5);
  expect((await open(bob)).unread.count).toBe(MAX_UNREAD);
});
