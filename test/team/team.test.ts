import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Client, expectProblem, formOf } from "../support/client.ts";
import { runCli } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { picture, PICTURES } from "../support/images.ts";
import { World } from "../support/world.ts";

let world: World;
let admin: Client;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const team = async () => (await world.anonymous.get("/api/team")).body;
const manifest = async () =>
  (await fetch(`${world.service.address}/manifest.webmanifest`)).json() as Promise<{
    name: string;
    icons: { src: string }[];
  }>;

test("a team is Snug and empty until it has people and a name, which everyone sees", async () => {
  expect(await team()).toEqual({
    name: "Snug",
    is_named: false,
    logo_url: null,
    is_empty: true,
    setup_step: 4,
    version: expect.any(Number),
  });
  admin = await world.person("admin", { isSiteAdmin: true });
  const ada = await world.person("ada");
  const socket = await ada.socket();
  const before = await team();
  expect(before.is_empty).toBe(false);
  const saved = await admin.put("/api/admin/settings/team", { name: " Acme " });
  expect(saved.body).toMatchObject({ name: "Acme", is_named: true, setup_step: 4 });
  expect(saved.body.version).toBeGreaterThan(before.version);
  expect((await socket.next("team_updated")).team).toEqual(saved.body);
  expect((await world.anonymous.get("/api/auth/session")).body).toEqual({
    is_restricted: false,
    user: null,
    team: saved.body,
  });
  expect((await manifest()).name).toBe("Acme");
  for (const wrong of [{ name: "" }, { name: "x".repeat(61) }, { setup_step: 5 }]) {
    expectProblem(await admin.put("/api/admin/settings/team", wrong), 422, "validation");
  }
  expectProblem(await ada.put("/api/admin/settings/team", { name: "x" }), 403, "not_site_admin");
  socket.close();
});

test("a logo is public, in the sizes of avatars, and its bytes go with it", async () => {
  const form = formOf(await picture("png", 300, 200), "logo.png");
  const { body } = await admin.call("PUT", "/api/admin/settings/team/logo", form);
  expect(body.logo_url).toMatch(/^\/api\/team\/logo\?v=[0-9a-f]{8}$/);
  const response = await fetch(`${world.service.address}${body.logo_url}&size=128`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/webp"]);
  expect((await manifest()).icons[0]?.src).toStartWith(body.logo_url);
  expectProblem(await world.anonymous.get("/api/team/logo?size=7"), 422, "validation");
  const removed = await admin.delete("/api/admin/settings/team/logo");
  expect(removed.body.logo_url).toBeNull();
  expectProblem(await world.anonymous.get("/api/team/logo"), 404, "not_found");
  expect((await manifest()).icons[0]?.src).toBe("/icons/icon-192.png");
});

test("a command sets and removes the logo beside the running service, which shows it", async () => {
  const env = { DATABASE_URL: urlOf(world.target), DATA_DIR: world.settings.DATA_DIR };
  const file = join(PICTURES, "moving.png");
  const { status, out } = await runCli(["team", "logo", file, "--json"], env);
  expect(status).toBe(0);
  const response = await fetch(`${world.service.address}${JSON.parse(out).logo_url}&size=128`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/webp"]);
  const elsewhere = { ...env, DATA_DIR: `${env.DATA_DIR}-of-another` };
  expect((await runCli(["team", "logo", file], elsewhere)).status).toBe(1);
  const text = join(import.meta.dir, "team.test.ts");
  expect((await runCli(["team", "logo", text], env)).status).toBe(1);
  expect((await runCli(["team", "remove-logo"], env)).out).toBe("The team has no logo.\n");
  expectProblem(await world.anonymous.get("/api/team/logo"), 404, "not_found");
});
