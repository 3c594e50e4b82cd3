import { expect, test } from "bun:test";
import { urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";
import { World } from "../support/world.ts";

test("doctor tells how far the service is from its ends", async () => {
  const world = await World.start();
  const ada = await world.person("ada");
  const room = await world.room("hall", ada);
  for (const text of ["one", "two", "three"]) await ada.say(room, text);
  await world.database.sql`update messages set id = '01900000-0000-7000-8000-000000000000',
    created_at = '2024-06-09' where content = 'one'`;
  const socket = await ada.socket();
  await socket.join(room);
  const env = { DATABASE_URL: urlOf(world.target), DATA_DIR: world.settings.DATA_DIR };
  const { status, out } = await Running.cli(["doctor", "--load", "--json"], env);
  expect(status).toBe(0);
  const load = JSON.parse(out);
  // What is older than an hour does not count.
  expect(load).toMatchObject({ messages: 2, people_connected: 1, instances: 1 });
  expect(load.commits_a_second).toBeGreaterThan(0);
  expect(load.database_bytes).toBeGreaterThan(1_000_000);
  expect(load.parts.map(({ part }: { part: string }) => part)).toEqual([
    ...["messages", "commits", "people", "connections", "notifications", "sizes"],
  ]);
  socket.close();
  await world.stop();
});
