import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let admin: Client;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("admin", { isSiteAdmin: true });
  ada = await world.person("ada");
  bob = await world.person("bob");
});
afterAll(() => world.stop());

/** A room with more in its log than is deleted at once. */
async function largeRoom(): Promise<string> {
  const { sql } = world.database;
  const roomId = await world.room("large", ada, [bob], "open");
  await sql`with made as (
      insert into messages (id, room_id, seq, author_id, content, created_at)
      select gen_random_uuid(), ${roomId}, n, ${bob.user.id}, 'line ' || n, clock_timestamp()
      from generate_series(100, 2600) n returning id, seq)
    insert into room_log (room_id, seq, type, message_id)
    select ${roomId}, seq, 'message', id from made`;
  await sql`update rooms set last_seq = 2600 where id = ${roomId}`;
  return roomId;
}

const rows = (roomId: string) => world.database.sql<{ count: number }[]>`
  select (select count(*) from messages where room_id = ${roomId})
    + (select count(*) from room_log where room_id = ${roomId})
    + (select count(*) from rooms where id = ${roomId}) as count`;

test("a large room is gone for everyone at once, and its rows soon after", async () => {
  const roomId = await largeRoom();
  const hook = await ada.post(`/api/rooms/${roomId}/incoming-webhooks`, { name: "alerts" });
  const [message] = await world.database.sql<{ id: string }[]>`
    select id from messages where room_id = ${roomId} limit 1`;
  const socket = await bob.socket();
  await socket.join(roomId);

  expect((await ada.delete(`/api/rooms/${roomId}`)).status).toBe(204);
  for (const client of [ada, bob]) {
    expectProblem(await client.get(`/api/rooms/${roomId}`), 404, "room_not_found");
    const post = await client.post(`/api/rooms/${roomId}/messages`, { content: "late" });
    expectProblem(post, 404, "room_not_found");
    expectProblem(await client.get(`/api/messages/${message?.id}`), 404, "message_not_found");
    const { body } = await client.get("/api/rooms");
    expect(body.items).toEqual([]);
  }
  await socket.next("room_removed");
  const alert = await fetch(`${world.service.address}${new URL(hook.body.url).pathname}`, {
    method: "POST",
    body: '{"text":"late"}',
  });
  expect(alert.status).toBe(404);
  expect((await admin.get("/api/admin/rooms")).body.items).toEqual([]);
  const unarchive = await admin.post(`/api/admin/rooms/${roomId}/unarchive`);
  expectProblem(unarchive, 404, "room_not_found");
  // Its name is free.
  await world.room("large", bob);
  await eventually(async () => (await rows(roomId))[0]?.count === 0);
});
