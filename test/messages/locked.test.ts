import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addToRooms } from "../../src/invites/signup.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { people, World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let cast: Awaited<ReturnType<typeof people>>;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
});
afterAll(() => world.stop());

const path = (roomId: string) => `/api/rooms/${roomId}/messages`;

/** Holds a room's lock, as another transaction does, until it is released. */
async function hold(roomId: string, strength = "no key update") {
  const { sql } = world.database;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const holder = sql.begin(async (tx) => {
    await tx`select from rooms where id = ${roomId} for ${tx.unsafe(strength)}`;
    lock();
    await released;
  });
  await locked;
  return async () => {
    release();
    await holder;
  };
}

const contents = async (reader: Client, roomId: string): Promise<string[]> => {
  const { body } = await reader.get(`${path(roomId)}?limit=200`);
  return body.items.map((message: { content: string }) => message.content);
};

describe("while something holds a room's lock", () => {
  test("other rooms go on, and its own messages follow in the order of each sender", async () => {
    const { owner, member, rooms } = cast;
    const held = await world.room("held", owner, [member]);
    const senders = await Promise.all([owner, member].map((client) => client.socket()));
    const release = await hold(held);
    const lines = Array.from({ length: 8 }, (_, i) => `${i}`);
    let isOver = false;
    const answers = senders.map(async (socket, who) => {
      for (const line of lines) {
        const client_id = crypto.randomUUID();
        socket.send({ type: "message", room_id: held, content: `${who} ${line}`, client_id });
      }
      for (const line of lines) {
        await socket.next((e) => e.type === "ack" && e.message.content === `${who} ${line}`);
      }
      expect(isOver).toBe(true);
    });
    for (const line of lines) await member.say(rooms.open, line);
    // What is asked for after the lock was met goes to the same queue.
    const late = owner.say(held, "0 late");
    await member.say(rooms.open, "and one more");
    isOver = true;
    await release();
    await Promise.all(answers);
    await late;
    const stored = await contents(owner, held);
    expect(stored).toHaveLength(17);
    for (const who of [0, 1]) {
      const theirs = stored.filter((line) => line.startsWith(`${who} `) && !line.endsWith("late"));
      expect(theirs).toEqual(lines.map((line) => `${who} ${line}`));
    }
    for (const socket of senders) socket.close();
  });

  test("a third room that is held does not wait for the first two", async () => {
    const { owner } = cast;
    const held = await Promise.all(["h1", "h2", "h3"].map((name) => world.room(name, owner)));
    const releases = await Promise.all(held.slice(0, 2).map((roomId) => hold(roomId)));
    const posts = held.map((roomId) => owner.say(roomId, "here"));
    await posts[2];
    await Promise.all(releases.map((release) => release()));
    await Promise.all(posts);
  });

  test.each([
    ["a session that ends", "unauthenticated", "delete from sessions where user_id = $1"],
    [
      "a session that expires",
      "unauthenticated",
      "update sessions set expires_at = now() - interval '1 second'",
    ],
    ["an account that ends", "unauthenticated", "update users set is_active = false where id = $1"],
    ["a token that is revoked", "invalid_token", "update api_tokens set revoked_at = now()"],
  ])("what %s meanwhile has sent is refused", async (name, code, change) => {
    const { owner } = cast;
    const { sql } = world.database;
    const slug = name.replaceAll(" ", "-");
    const ended = await (code === "invalid_token"
      ? world.bot(slug, ["read:messages", "write:messages"])
      : world.person(slug));
    const held = await world.room(slug, owner, [ended]);
    const socket = await ended.socket();
    const release = await hold(held);
    const say = (content: string) =>
      socket.send({ type: "message", room_id: held, content, client_id: crypto.randomUUID() });
    say("waits in a write of its own");
    const countWaiting = async () => {
      const rows = await sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`;
      return rows.length;
    };
    await eventually(async () => (await countWaiting()) !== 0);
    say("waits behind it");
    // It has arrived when the next frame is answered.
    await socket.drain();
    const where = change.includes("where") ? "" : " where user_id = $1";
    await sql.unsafe(change + where, [ended.user.id]);
    await release();
    expect(await socket.next("error")).toMatchObject({ code });
    expect((await socket.closing()).code).toBe(4401);
    expect(await contents(owner, held)).toEqual([]);
  });

  test("a room that is gone is not waited for", async () => {
    expectProblem(
      await cast.owner.post(path(crypto.randomUUID()), { content: "?" }),
      404,
      "room_not_found",
    );
  });
});

test("who signs up does not wait for a message that names a default room, nor it for them", async () => {
  const { owner } = cast;
  const roomId = await world.room("welcome", owner, [], "open");
  const { db, sql } = world.database;
  await sql`update rooms set is_default = true where id = ${roomId}`;
  const someone = await world.person("someone");
  // As the foreign key of a message's reference takes it.
  const release = await hold(roomId, "key share");
  await db.transaction((tx) => addToRooms(tx, crypto.randomUUID(), someone.user.id));
  await release();
  expect((await someone.get(`/api/rooms/${roomId}`)).status).toBe(200);
});
