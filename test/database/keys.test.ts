import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
});
afterAll(() => world.stop());

test("a room's messages are deleted with it, and what belongs to them", async () => {
  const { sql } = world.database;
  const roomId = await world.room("short", ada, [bob], "open");
  const other = await world.room("other", ada, [bob], "open");
  const message = await bob.say(roomId, "@ada look at #other");
  await ada.post(`/api/messages/${message.id}/reactions`, { emoji: "👍" });
  await bob.say(other, "stays");
  await sql`delete from rooms where id = ${roomId}`;
  const [left] = await sql`select
    (select count(*) from messages where room_id = ${roomId}) as messages,
    (select count(*) from message_mentions where message_id = ${message.id}) as mentions,
    (select count(*) from message_reactions where message_id = ${message.id}) as reactions,
    (select count(*) from messages where room_id = ${other}) as others`;
  expect(left).toEqual({ messages: 0, mentions: 0, reactions: 0, others: 1 });
});

test("the account of an author cannot be deleted", async () => {
  const { sql } = world.database;
  const deleted = sql`delete from users where id = ${bob.user.id}`.execute();
  await expect(deleted).rejects.toMatchObject({ code: "23503" });
  await deleted.catch(() => {});
  expect((await bob.get("/api/auth/me")).status).toBe(200);
});
