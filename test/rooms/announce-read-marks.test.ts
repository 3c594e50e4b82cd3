import { afterAll, beforeAll, expect, test } from "bun:test";
import { announceReadMarks } from "../../src/rooms/read-mark.ts";
import { World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

test("read marks are announced while a transaction that posts locks the memberships", async () => {
  const ada = await world.person("ada");
  const roomId = await world.room("hall", ada);
  const { sql } = world.database;
  // As the statement that posts locks its authors.
  await sql.begin(async (tx) => {
    await tx`select from memberships where room_id = ${roomId} for key share`;
    await announceReadMarks(sql, [{ userId: ada.user.id, roomId }]);
  });
  expect((await ada.get(`/api/rooms/${roomId}`)).status).toBe(200);
});
