import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);
let world: World;
let admin: Client;
beforeEach(async () => {
  await world?.stop();
  world = await World.start();
  await world.database.sql`update team_settings set setup_step = 0`;
  admin = await world.person("admin", { isSiteAdmin: true });
});
afterAll(() => world.stop());

const step = async () => (await world.anonymous.get("/api/team")).body.setup_step;

test("the setup goes on after its first room, and where it was left", async () => {
  expect(await step()).toBe(0);
  await world.bot("helper", []);
  await world.room("general", admin, [], "open");
  const saved = await admin.put("/api/admin/settings/team", { setup_step: 3 });
  expect(saved.body.setup_step).toBe(3);
  expect(await step()).toBe(3);
});

test("a second account ends the setup", async () => {
  await world.person("ada");
  expect(await step()).toBe(4);
  const saved = await admin.put("/api/admin/settings/team", { setup_step: 1 });
  expect(saved.body.setup_step).toBe(4);
});

test("a message ends the setup", async () => {
  const room = await world.room("general", admin);
  expect(await step()).toBe(0);
  await admin.post(`/api/rooms/${room}/messages`, { content: "Hello" });
  expect(await step()).toBe(4);
});
