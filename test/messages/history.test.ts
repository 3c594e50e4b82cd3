import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Message } from "../../src/wire/models.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let owner: Client;
let roomId: string;
let ids: string[];
beforeAll(async () => {
  world = await World.start();
  owner = await world.person("owner");
  roomId = await world.room("history", owner);
  ids = [];
  for (let i = 0; i < 12; i++) ids.push((await owner.say(roomId, `message ${i}`)).id);
  // All at one moment: only the number can tell them apart.
  await world.database.db.execute(sql`update messages set created_at = '2026-01-02T03:04:05Z'`);
});
afterAll(() => world.stop());

async function read(query: string) {
  const { status, body } = await owner.get(`/api/rooms/${roomId}/messages?${query}`);
  expect(status).toBe(200);
  const at = (m: Message) => ids.indexOf(m.id);
  return [body.items.map(at), body.has_more_before, body.has_more_after];
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("history", () => {
  test("starts with the newest, oldest first", async () => {
    expect(await read("limit=4")).toEqual([range(8, 11), true, false]);
    expect(await read("")).toEqual([range(0, 11), false, false]);
  });

  test("goes back from a message, which is left out, to the first", async () => {
    expect(await read(`before=${ids[8]}&limit=5`)).toEqual([range(3, 7), true, true]);
    expect(await read(`before=${ids[3]}&limit=5`)).toEqual([range(0, 2), false, true]);
    expect(await read(`before=${ids[0]}`)).toEqual([[], false, true]);
    expect(await read(`before=${ids[3]?.toUpperCase()}&limit=5`)).toEqual([
      range(0, 2),
      false,
      true,
    ]);
  });

  test("continues after a message, without it, to the last", async () => {
    expect(await read(`after=${ids[2]}&limit=5`)).toEqual([range(3, 7), true, true]);
    expect(await read(`after=${ids[7]}&limit=4`)).toEqual([range(8, 11), true, false]);
  });

  test("opens around a message, which is in it", async () => {
    expect(await read(`around=${ids[6]}&limit=5`)).toEqual([range(4, 8), true, true]);
    expect(await read(`around=${ids[11]}&limit=4`)).toEqual([range(10, 11), true, false]);
    expect(await read(`around=${ids[0]}&limit=200`)).toEqual([range(0, 11), false, false]);
  });

  test("of equal times, pages leave none out and show none twice", async () => {
    const seen: number[] = [];
    let query = "limit=5";
    for (;;) {
      const [items, more] = (await read(query)) as [number[], boolean];
      seen.unshift(...items);
      if (!more) break;
      query = `limit=5&before=${ids[seen[0] as number]}`;
    }
    expect(seen).toEqual(range(0, 11));
  });

  test("refuses two anchors, an unknown one, and one of another room", async () => {
    const get = (query: string) => owner.get(`/api/rooms/${roomId}/messages?${query}`);
    expectProblem(await get(`before=${ids[1]}&after=${ids[2]}`), 422, "validation");
    expectProblem(await get(`around=${Bun.randomUUIDv7()}`), 404, "message_not_found");
    const elsewhere = await owner.say(await world.room("elsewhere", owner), "there");
    expectProblem(await get(`before=${elsewhere.id}`), 404, "message_not_found");
    expectProblem(await get("limit=201"), 422, "validation");
    expectProblem(await get("limit=0"), 422, "validation");
  });
});

describe("history at a time", () => {
  let room: string;
  let said: Message[];
  const read = async (at: string, limit = 4) => {
    const query = `at=${encodeURIComponent(at)}&limit=${limit}`;
    const { status, body } = await owner.get(`/api/rooms/${room}/messages?${query}`);
    expect(status).toBe(200);
    return [
      body.items.map((m: Message) => said.findIndex(({ id }) => id === m.id)),
      body.has_more_before,
      body.has_more_after,
    ];
  };
  beforeAll(async () => {
    room = await world.room("times", owner);
    said = [];
    for (let i = 0; i < 9; i++) said.push(await owner.say(room, `message ${i}`));
    // A message a day; numbers with holes, as reactions and deletions leave them.
    await world.database.db.execute(sql`
      update messages set seq = seq * 7, created_at = '2026-03-01T12:00:00Z'::timestamptz + (seq - ${said[0]?.seq}) * interval '1 day'
      where room_id = ${room}`);
    await world.database.db.execute(sql`update rooms set last_seq = 70 where id = ${room}`);
  });

  test("is around the first message at or after it", async () => {
    expect(await read("2026-03-04T12:00:00Z")).toEqual([range(2, 5), true, true]);
    expect(await read("2026-03-04T12:00:00.001Z")).toEqual([range(3, 6), true, true]);
    expect(await read("2026-03-05T13:00:00+02:00")).toEqual([range(3, 6), true, true]);
  });

  test("is the beginning for an early one, and the newest for one after all", async () => {
    expect(await read("0001-01-01T00:00:00Z")).toEqual([range(0, 2), false, true]);
    expect(await read("2026-03-09T12:00:00Z")).toEqual([range(7, 8), true, false]);
    expect(await read("9999-01-01T00:00:00Z")).toEqual([range(5, 8), true, false]);
  });

  test("is empty in a room without messages", async () => {
    const silent = await world.room("silent", owner);
    const { body } = await owner.get(`/api/rooms/${silent}/messages?at=2026-03-04T12:00:00Z`);
    expect(body).toEqual({ items: [], has_more_before: false, has_more_after: false, seq: 1 });
  });

  test("refuses an invalid time and a second anchor", async () => {
    const get = (query: string) => owner.get(`/api/rooms/${room}/messages?${query}`);
    expectProblem(await get("at=yesterday"), 422, "validation");
    expectProblem(await get("at=2026-13-45T12:00:00Z"), 422, "validation");
    const second = `at=2026-03-04T12:00:00Z&after=${said[0]?.id}`;
    expectProblem(await get(second), 422, "validation");
  });
});

describe("changes", () => {
  test("show the present state: an edited text, and a deletion of a deleted message", async () => {
    const room = await world.room("changes", owner);
    const message = await owner.say(room, "first");
    const reply = await owner.say(room, "second");
    await owner.patch(`/api/messages/${message.id}`, { content: "edited" });
    await owner.delete(`/api/messages/${reply.id}`);
    const { body } = await owner.get(`/api/rooms/${room}/changes?after=1`);
    expect(body).toMatchObject({
      items: [
        { type: "message", seq: 2, message: { id: message.id, content: "edited", seq: 2 } },
        { type: "message_delete", seq: 3, message_id: reply.id },
        { type: "message_update", seq: 4, message: { id: message.id, content: "edited" } },
        { type: "message_delete", seq: 5, message_id: reply.id },
      ],
      seq: 5,
      has_more: false,
    });
  });

  test("come in pages", async () => {
    const { body } = await owner.get(`/api/rooms/${roomId}/changes?after=3&limit=4`);
    expect(body.items.map((event: { seq: number }) => event.seq)).toEqual([4, 5, 6, 7]);
    expect(body).toMatchObject({ seq: 7, has_more: true });
  });

  test("that were pruned, or never existed, are 410", async () => {
    const room = await world.room("pruned", owner);
    await owner.say(room, "one");
    await world.database.db.execute(sql`delete from room_log where room_id = ${room} and seq <= 1`);
    expectProblem(await owner.get(`/api/rooms/${room}/changes?after=0`), 410, "seq_gone");
    expectProblem(await owner.get(`/api/rooms/${room}/changes?after=99`), 410, "seq_gone");
    expect((await owner.get(`/api/rooms/${room}/changes?after=1`)).status).toBe(200);
  });
});
