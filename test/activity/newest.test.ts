import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ActivityRow, readActivity, readUnread } from "../../src/activity/activity.ts";
import type { Activity } from "../../src/wire/activity.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";
import { readActivityByRoom, readUnreadByRoom } from "./reference.ts";

/** The list, read by time, is the same as one that is read room by room, whatever there is. */

const SEED = 20_261_123;
const ROOMS = 12;
const MESSAGES = 1_500;
const START = Date.parse("2026-03-01T00:00:00Z");
const LATEST = {
  at: new Date("9999-01-01T00:00:00Z"),
  id: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

let world: World;
let ada: Client;
let others: Client[];
let rooms: string[];
let state = SEED;
/** The same numbers in each run. */
const random = (below: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((state / 2 ** 31) * below);
};

beforeAll(async () => {
  world = await World.start();
  const [first, ...rest] = await Promise.all(["ada", "bob", "eve"].map((n) => world.person(n)));
  ada = first as Client;
  others = rest;
  rooms = [];
  for (let n = 0; n < ROOMS; n += 1) rooms.push(await world.room(`room-${n}`, ada, others));
  const direct = await ada.post("/api/direct", { user_ids: others.map(({ user }) => user.id) });
  rooms.push(direct.body.id);
  await fill();
});
afterAll(() => world.stop());

/** Messages of all rooms in turns, several in each second, with all that the list is made of. */
async function fill(): Promise<void> {
  const { sql } = world.database;
  const seqs = new Map<string, number>();
  const roots: { id: string; room: string }[] = [];
  await sql.begin(async (tx) => {
    for (let n = 0; n < MESSAGES; n += 1) {
      const room = rooms[random(rooms.length)] as string;
      const seq = (seqs.get(room) ?? 100) + 1;
      seqs.set(room, seq);
      const at = new Date(START + Math.floor(n / 3) * 1_000);
      const id = Bun.randomUUIDv7("hex", at);
      const author = [ada, ...others][random(3)]?.user.id as string;
      const via = random(20) === 0 ? "CI" : null;
      const root = random(6) === 0 ? roots.find((root) => root.room === room) : undefined;
      await tx`insert into messages
          (id, room_id, seq, author_id, content, via_name, thread_id, has_embeds, created_at)
        values (${id}, ${room}, ${seq}, ${author}, ${`no. ${n}`}, ${via}, ${root?.id ?? null}, true, ${at})`;
      if (random(4) === 0) {
        await tx`insert into message_mentions (message_id, user_id, room_id, seq, created_at)
          values (${id}, ${ada.user.id}, ${room}, ${seq}, ${at})`;
      }
      if (random(8) === 0 && author !== ada.user.id) {
        await tx`insert into keyword_hits (message_id, user_id, room_id, seq, created_at)
          values (${id}, ${ada.user.id}, ${room}, ${seq}, ${at})`;
      }
      if (random(6) === 0) {
        const online = [null, [ada.user.id], [others[0]?.user.id as string]][random(3)] ?? null;
        await tx`insert into message_broadcasts
            (message_id, room_id, seq, kind, user_ids, created_at)
          values (${id}, ${room}, ${seq}, ${online ? "here" : "room"}, ${online}, ${at})`;
      }
      if (author === ada.user.id && via === null && random(2) === 0) {
        await tx`insert into reacted_messages (message_id, author_id, room_id, reacted_at)
          values (${id}, ${author}, ${room}, ${new Date(at.getTime() + random(90_000))})`;
      }
      if (root) {
        await tx`update threads set reply_count = reply_count + 1, last_reply_seq = ${seq},
          last_reply_at = ${at} where message_id = ${root.id}`;
      } else if (author === ada.user.id && random(6) === 0) {
        roots.unshift({ id, room });
        await tx`insert into threads
            (message_id, room_id, reply_count, last_reply_seq, last_reply_at, last_author_ids)
          values (${id}, ${room}, 1, ${seq}, ${at}, ${[others[0]?.user.id as string]})`;
        await tx`insert into thread_follows (user_id, thread_id, room_id, is_following, read_seq)
          values (${ada.user.id}, ${id}, ${room}, ${random(5) > 0}, ${seq + random(30)})`;
      }
    }
    for (const [room, seq] of seqs) {
      await tx`update rooms set last_seq = ${seq}, last_message_at = clock_timestamp()
        where id = ${room}`;
    }
  });
}

/** Sets what a person's memberships say, differently each time. */
async function shuffle(): Promise<void> {
  const { sql } = world.database;
  const span = MESSAGES / 3;
  for (const room of rooms) {
    const joinedAt = new Date(START + (random(3) === 0 ? random(span) * 1_000 : -1));
    await sql`update memberships set notify = ${random(5) === 0 ? "none" : "all"},
        last_read_seq = ${random(4) === 0 ? 0 : 100 + random(150)}, joined_at = ${joinedAt}
      where room_id = ${room} and user_id = ${ada.user.id}`;
  }
  const readAt = new Date(START + random(span) * 1_000);
  await sql`update users set activity_read_at = ${readAt} where id = ${ada.user.id}`;
}

const entryOf = ({ type, message_id, at, is_unread, room_name, user_count }: ActivityRow) =>
  ({ type, message_id, at, is_unread, room_name, user_count }) as const;

/** The ids that the service lists. */
async function listed(limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ""; ;) {
    const { body } = await ada.get(`/api/activity?limit=${limit}${cursor}`);
    ids.push(...body.items.map((item: Activity) => item.message.id));
    if (!body.next) return ids;
    cursor = `&cursor=${body.next}`;
  }
}

/** Compares up to forty pages with those of a reference that reads each room; returns how many were read. */
async function comparePages(limit: number) {
  const { sql } = world.database;
  const ids: string[] = [];
  const counts = { pages: 0, ids };
  for (let place = LATEST; ;) {
    const byRoom = (await readActivityByRoom(sql, ada.user.id, place, limit + 1)).map(entryOf);
    const rows = await readActivity(sql, ada.user.id, place, { limit: limit + 1 });
    expect(rows.map(entryOf)).toEqual(byRoom);
    counts.pages += 1;
    ids.push(...byRoom.slice(0, limit).map((row) => row.message_id));
    const last = byRoom[limit - 1];
    if (!last || byRoom.length <= limit || counts.pages === 40) return counts;
    place = { at: last.at, id: last.message_id };
  }
}

async function compareUnread() {
  const { sql } = world.database;
  const byRoom = await readUnreadByRoom(sql, ada.user.id);
  expect(await readUnread(sql, ada.user.id)).toEqual(byRoom);
  expect((await ada.get("/api/activity/unread")).body).toEqual({
    ...byRoom,
    read_at: byRoom.read_at.toISOString(),
    mentions: byRoom.mentions ?? [],
  });
  return byRoom.mentions?.length ?? 0;
}

test("what mentions someone has the time of its message", async () => {
  const { sql } = world.database;
  const [bob] = others as [Client];
  const [room = ""] = rooms;
  await ada.patch("/api/auth/me", { keywords: ["deploy"] });
  const since = Date.now();
  await bob.say(room, "@ada, by name");
  await bob.say(room, "@room");
  const { id } = await bob.say(room, "nobody yet");
  await Bun.sleep(5);
  await bob.patch(`/api/messages/${id}`, { content: "@ada and @here" });
  await bob.say(room, "deploy");
  const count = async () => {
    const rows = await sql<{ kind: string; is_same: boolean }[]>`
      select x.kind, x.created_at = m.created_at as is_same from (
        select 'name' as kind, message_id, created_at from message_mentions
        union all select 'keyword', message_id, created_at from keyword_hits
        union all select kind, message_id, created_at from message_broadcasts
      ) x join messages m on m.id = x.message_id
      where m.room_id = ${room} and m.created_at > ${new Date(since - 1_000)} order by kind`;
    return rows.map((row) => (row.is_same ? row.kind : `another time: ${row.kind}`));
  };
  await eventually(async () => (await count()).length >= 5);
  expect(await count()).toEqual(["here", "keyword", "name", "name", "room"]);
});

test("page by page, whatever was muted, read or joined later", async () => {
  for (let n = 0; n < 4; n += 1) {
    await shuffle();
    expect(await listed(100)).toEqual((await comparePages(100)).ids);
    for (const limit of [1 + random(5), 20]) {
      expect((await comparePages(limit)).pages).toBeGreaterThan(2);
    }
  }
}, 240_000);

test("what is new, wherever the mark is", async () => {
  let countsWithMentions = 0;
  for (let n = 0; n < 40; n += 1) {
    await shuffle();
    if ((await compareUnread()) > 0) countsWithMentions += 1;
  }
  expect(countsWithMentions).toBeGreaterThan(20);
});

test("a list of one type reads the rows of that type only", async () => {
  const { sql } = world.database;
  await shuffle();
  let reads = 0;
  const counting = new Proxy(sql, {
    apply(_, __, [strings, ...values]: Parameters<typeof sql>) {
      if (String(strings).includes("with activity as")) reads += 1;
      return sql(strings, ...values);
    },
  }) as typeof sql;
  const all = await readActivity(sql, ada.user.id, LATEST, { limit: 10_000 });
  for (const type of ["mention", "reaction", "reply"] as const) {
    const rows = await readActivity(counting, ada.user.id, LATEST, { limit: 10_000, type });
    expect(rows.map(entryOf)).toEqual(all.filter((row) => row.type === type).map(entryOf));
    expect(rows.length).toBeGreaterThan(0);
  }
  // Only the mentions are more than are read at first, and take a second read.
  expect(reads).toBe(4);
});

test("where most are in rooms that the person has left, the rest is found", async () => {
  const { sql } = world.database;
  await shuffle();
  const [kept = "", ...left] = rooms;
  await sql`delete from memberships
    where room_id = any(${left}::uuid[]) and user_id = ${ada.user.id} and role <> 'owner'`;
  await sql`update memberships set is_direct = true
    where room_id = any(${left}::uuid[]) and user_id = ${ada.user.id}`;
  await sql`update users set activity_read_at = ${new Date(START)} where id = ${ada.user.id}`;
  const { ids } = await comparePages(100);
  expect(ids.length).toBeGreaterThan(20);
  expect(await listed(100)).toEqual(ids);
  await compareUnread();
  await sql`delete from memberships where room_id = ${kept} and user_id = ${ada.user.id}`;
  expect(await comparePages(100)).toMatchObject({ ids: [] });
});

test("nothing is nothing", async () => {
  const { sql } = world.database;
  const [bob] = others as [Client];
  await sql`delete from message_broadcasts`;
  await sql`delete from thread_follows`;
  expect(await readActivity(sql, bob.user.id, LATEST, { limit: 51 })).toEqual([]);
  expect(await readUnread(sql, bob.user.id)).toMatchObject({ mentions: null, reactions: 0 });
});
