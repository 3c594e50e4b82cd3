import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  backfillShard,
  indexShards,
  pruneSearchIndex,
  readIndexedMessages,
  SHARDS,
} from "../../src/search/index-rooms.ts";
import { makeSearchVector, TOKENS_VERSION } from "../../src/search/tokens.ts";
import type { Client } from "../support/client.ts";
import { findTexts, indexEverything, search } from "../support/search.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let ada: Client;
let finder: Client;
const { signal } = new AbortController();
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  finder = await world.bot("finder", ["read:messages"]);
});
afterAll(() => world.stop());

/** Messages of a room, written past the service: `count` of them, a minute apart, the last one now. */
async function fill(room: string, count: number): Promise<void> {
  const { sql } = world.database;
  const times = Array.from({ length: count }, (_, i) => Date.now() - (count - i) * 60_000);
  const ids = times.map((time) => Bun.randomUUIDv7("hex", time));
  await sql`
    with numbered as (
      select id, row_number() over () + (select last_seq from rooms where id = ${room}) as seq, at
      from unnest(${ids}::uuid[], ${times.map((time) => new Date(time).toISOString())}::timestamptz[]) as t(id, at)
    ), written as (
      insert into messages (id, room_id, seq, author_id, content, created_at)
      select id, ${room}, seq, ${ada.user.id}, 'old message ' || seq, at from numbered
    ), logged as (
      insert into room_log (room_id, seq, type, message_id)
      select ${room}, seq, 'message', id from numbered
    )
    update rooms set last_seq = (select max(seq) from numbered) where id = ${room}`;
}

test("a message is found by the service itself, soon after it was posted", async () => {
  const room = await world.room("self", ada, [finder]);
  await ada.say(room, "kingfisher");
  await eventually(async () => (await findTexts(finder, "kingfisher")).length > 0);
  expect(await findTexts(finder, "kingfisher")).toEqual(["kingfisher"]);
});

test("a room that is deleted meanwhile is left out, and stops nothing", async () => {
  const { sql } = world.database;
  const [going, staying] = await Promise.all([
    world.room("going", ada),
    world.room("staying", ada),
  ]);
  await sql.begin(async (tx) => {
    await tx`update rooms set last_seq = 1 where id = any(${[going, staying]}::uuid[])`;
    await tx`delete from search_rooms where room_id = any(${[going, staying]}::uuid[])`;
  });
  await sql.begin(async (tx) => {
    await tx`delete from search_rooms where room_id = ${going}`;
    await tx`delete from rooms where id = ${going}`;
    await indexShards(
      sql,
      Array.from({ length: SHARDS }, (_, shard) => shard),
      signal,
    );
  });
  const rows = await sql`select room_id from search_rooms where room_id in (${going}, ${staying})`;
  expect(rows.map(({ room_id }) => room_id)).toEqual([staying]);
});

test("however many index at once, and whatever changes meanwhile, the index is as the messages", async () => {
  const { sql } = world.database;
  const rooms = await Promise.all(
    ["one", "two", "three"].map((name) => world.room(name, ada, [finder])),
  );
  let isPosting = true;
  const indexing = [1, 2, 3].map(async (n) => {
    while (isPosting) {
      for (let shard = 0; shard < SHARDS; shard += 1) {
        await indexShards(sql, [shard], signal);
        await backfillShard(sql, shard, signal, async () => {});
      }
      // Each would index all again, as a new version does.
      if (n === 1) await sql`update search_rooms set back_seq = after_seq + 1`;
    }
  });
  await Promise.all(
    rooms.map(async (room) => {
      for (let i = 0; i < 25; i += 1) {
        const { id } = await ada.say(room, `first ${i}`);
        if (i % 2 === 0) await ada.patch(`/api/messages/${id}`, { content: `second ${i}` });
        if (i % 5 === 0) await ada.delete(`/api/messages/${id}`);
      }
    }),
  );
  isPosting = false;
  await Promise.all(indexing);
  await indexEverything(world.database, true);
  await pruneSearchIndex(sql, signal);
  const messages = await sql<{ id: string }[]>`select id from messages`;
  const indexedMessages = await readIndexedMessages(
    sql,
    messages.map(({ id }) => id),
  );
  expect(indexedMessages.length).toBeGreaterThanOrEqual(60);
  const rows = await sql<{ message_id: string; words: string }[]>`
    select message_id, words::text from message_search`;
  const sorted = (words: string) => words.split(" ").sort();
  expect(new Map(rows.map((row) => [row.message_id, sorted(row.words)]))).toEqual(
    new Map(indexedMessages.map((row) => [row.id, sorted(makeSearchVector(row))])),
  );
});

test("older messages are indexed from the newest backward, and the answer says how far", async () => {
  const { sql } = world.database;
  const room = await world.room("long", ada, [finder]);
  await indexEverything(world.database);
  await fill(room, 2_500);
  await indexEverything(world.database);
  expect(await findTexts(finder, '"message 2400"')).toEqual(["old message 2400"]);
  // An older version has indexed it. Held by another, so that the service does not.
  await sql`delete from message_search where room_id = ${room}`;
  await sql`update search_rooms set version = 0 where room_id = ${room}`;
  await sql`insert into jobs (id, kind, payload, unique_key, max_attempts, locked_by, locked_until)
    select gen_random_uuid(), 'search_backfill', '{}', 'search_backfill:' || n, 8,
      gen_random_uuid(), now() + interval '1 hour' from generate_series(0, ${SHARDS - 1}) n
    on conflict do nothing`;
  const [{ shard } = { shard: 0 }] = await sql<{ shard: number }[]>`
    select number % ${SHARDS}::int as shard from rooms where id = ${room}`;
  const turn = new AbortController();
  await backfillShard(sql, shard, turn.signal, async () => turn.abort());
  const inRoom = { room_id: room };
  expect(await findTexts(finder, '"message 2400"', inRoom)).toEqual(["old message 2400"]);
  const partial = await search(finder, { q: '"message 5"', ...inRoom });
  expect(partial).toMatchObject({ items: [], is_complete: false, next: null });
  const [first] = (await search(finder, { sort: "oldest", limit: "1", ...inRoom })).items;
  expect(partial.searched_until).toBe(first?.message.created_at ?? "");
  await backfillShard(sql, shard, signal, async () => {});
  const whole = await search(finder, { q: '"message 5"', ...inRoom });
  expect(whole).toMatchObject({ items: [{}], is_complete: true, searched_until: null });
  await sql`delete from jobs where locked_until > now() + interval '10 minutes'`;
  const [{ version } = { version: 0 }] = await sql<{ version: number }[]>`
    select version from search_rooms where room_id = ${room}`;
  expect(version).toBe(TOKENS_VERSION);
  // Let alone, the service does all of that by itself.
  await sql`delete from message_search where room_id = ${room}`;
  await sql`update search_rooms set version = 0 where room_id = ${room}`;
  await ada.say(room, "something new");
  await eventually(async () => (await findTexts(finder, '"message 5"', inRoom)).length > 0);
});

test("where the log was pruned before it was indexed, the room is indexed again", async () => {
  const { sql } = world.database;
  const room = await world.room("pruned", ada, [finder]);
  await indexEverything(world.database);
  await sql`update search_rooms set version = 999 where room_id = ${room}`;
  for (const text of ["ibis one", "ibis two", "ibis three"]) await ada.say(room, text);
  await sql`delete from room_log where room_id = ${room} and seq <= 2`;
  await sql`update search_rooms set version = ${TOKENS_VERSION} where room_id = ${room}`;
  await indexEverything(world.database, true);
  expect(await findTexts(finder, "ibis")).toEqual(["ibis three", "ibis two", "ibis one"]);
});

test("the command line shows how far the index is, and has it made again", async () => {
  const { requestReindex, readSearchStatus } = await import("../../src/search/status.ts");
  const { sql } = world.database;
  await indexEverything(world.database, true);
  const [{ messages } = {}] = await sql`select count(*) as messages from messages`;
  expect(await readSearchStatus(sql)).toMatchObject({
    incomplete_rooms: 0,
    lag: 0,
    messages: Number(messages),
    is_estimate: false,
  });
  expect(await requestReindex(sql, "self")).toBe(1);
  await expect(requestReindex(sql, "nowhere")).rejects.toMatchObject({ code: "room_not_found" });
  await indexEverything(world.database, true);
  expect(await findTexts(finder, "kingfisher")).toEqual(["kingfisher"]);
});
