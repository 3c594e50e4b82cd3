import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AdminWebhook } from "../../src/wire/admin.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let admin: Client;
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("ada", { isSiteAdmin: true });
});
afterAll(() => world.stop());

test("administrators see incoming and outgoing webhooks of all rooms, without their secrets", async () => {
  const owner = await world.person("owner");
  const room = await world.room("secret", owner);
  const outgoing = { name: "Out", url: "https://1.1.1.1/x", events: ["message.created"] };
  const out = await owner.post(`/api/rooms/${room}/outgoing-webhooks`, outgoing);
  const response = await owner.post(`/api/rooms/${room}/incoming-webhooks`, { name: "In" });
  const first = (await admin.get("/api/admin/webhooks?limit=1")).body;
  const rest = (await admin.get(`/api/admin/webhooks?limit=1&cursor=${first.next}`)).body;
  const items: AdminWebhook[] = [...first.items, ...rest.items];
  expect(rest.next).toBeNull();
  expect(items).toMatchObject([
    { id: response.body.id, direction: "incoming", name: "In", url: null, last_used_at: null },
    { id: out.body.id, direction: "outgoing", url: "https://1.1.1.1/x", is_active: true },
  ]);
  expect(items[0]).toMatchObject({ room: { name: "secret" }, created_by: { username: "owner" } });
  const secrets = [out.body.secret, response.body.url.split("/").at(-1)];
  for (const secret of secrets) expect(JSON.stringify(items)).not.toContain(secret);
});
