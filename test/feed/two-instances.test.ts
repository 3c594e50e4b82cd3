import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Service } from "../../src/service.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let second: Service;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  world = await World.start();
  second = await world.secondInstance();
  ada = await world.person("ada");
  const { user } = await world.person("bob");
  bob = await world.signIn(user, second);
});
afterAll(() => world.stop());

describe("two instances on one database", () => {
  test("carry messages, edits, deletions and room changes both ways, in the order of seq", async () => {
    const roomId = await world.room("both-ways", ada, [bob]);
    const [here, there] = [await ada.socket(), await bob.socket()];
    const start = await here.join(roomId);
    expect(await there.join(roomId)).toBe(start);

    const first = await ada.say(roomId, "from the first");
    const reply = await bob.say(roomId, "from the second");
    await bob.patch(`/api/messages/${reply.id}`, { content: "edited" });
    await ada.delete(`/api/messages/${first.id}`);
    await ada.patch(`/api/rooms/${roomId}`, { description: "a new one" });

    const expected = ["message", "message", "message_update", "message_delete", "room_updated"];
    for (const socket of [here, there]) {
      const heard = [];
      while (heard.length < expected.length) {
        heard.push(await socket.next((e) => e.room_id === roomId && e.seq > start));
      }
      expect(heard.map((event) => event.type)).toEqual(expected);
      expect(heard.map((event) => event.seq)).toEqual(expected.map((_, i) => start + 1 + i));
      socket.close();
    }
  });

  test("under load from both, every socket receives everything once and in order", async () => {
    const roomId = await world.room("loaded", ada, [bob]);
    const sockets = [await ada.socket(), await bob.socket()];
    let start = 0;
    for (const socket of sockets) start = await socket.join(roomId);
    const count = 150;
    await Promise.all(
      Array.from({ length: count }, (_, i) => (i % 2 ? ada : bob).say(roomId, `line ${i}`)),
    );
    for (const socket of sockets) {
      const seqs: number[] = [];
      while (seqs.length < count) seqs.push((await socket.next("message")).seq);
      expect(seqs).toEqual(Array.from({ length: count }, (_, i) => start + 1 + i));
      socket.close();
    }
  });

  test("catch up when the listening connection was lost", async () => {
    const roomId = await world.room("deaf", ada, [bob]);
    const there = await bob.socket();
    await there.join(roomId);
    const killed = await world.database.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`);
    expect(killed.length).toBeGreaterThanOrEqual(2);
    const message = await ada.say(roomId, "can you hear me");
    expect((await there.next("message")).message.id).toBe(message.id);
    there.close();
  });

  test("notify the user's other screens of a read mark and of the profile", async () => {
    const roomId = await world.room("screens", ada, [bob]);
    const elsewhere = await world.signIn(ada.user, second);
    const socket = await elsewhere.socket();
    const message = await bob.say(roomId, "news");
    const read = await ada.post(`/api/rooms/${roomId}/read`, { message_id: message.id });
    expect(await socket.next("read")).toEqual({
      type: "read",
      room_id: roomId,
      ...read.body,
    });
    await ada.patch("/api/auth/me", { display_name: "Ada L." });
    expect(await socket.next("me_updated")).toMatchObject({ user: { display_name: "Ada L." } });
    socket.close();
  });

  test("show who is online, whichever instance they are on", async () => {
    const roomId = await world.room("presence", ada, [bob]);
    const watcher = await ada.socket();
    await watcher.join(roomId);
    const statusOf = async (username: string) => {
      const { body } = await ada.get(`/api/rooms/${roomId}/members`);
      return body.items.find((m: { user: { username: string } }) => m.user.username === username)
        .status;
    };
    const carol = await world.person("carol");
    await ada.post(`/api/rooms/${roomId}/members`, { username: "carol" });
    expect(await statusOf("carol")).toBe("offline");
    const far = await world.signIn(carol.user, second);
    const names = (e: { type: string; user_ids?: string[] }) =>
      e.type === "member_updated" && e.user_ids?.includes(carol.user.id) === true;
    const socket = await far.socket();
    // That she was added updates the list, too, and may be announced this late.
    do await watcher.next(names);
    while ((await statusOf("carol")) !== "online");
    await carol.patch("/api/auth/me", { appear_offline: true });
    do await watcher.next(names);
    while ((await statusOf("carol")) !== "offline");
    const online = await ada.get("/api/users/online");
    expect(online.body.items.map((u: { username: string }) => u.username)).not.toContain("carol");
    socket.close();
    watcher.close();
  });
});
