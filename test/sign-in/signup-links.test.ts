import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { Idp } from "../support/idp.ts";
import { Visitor } from "../support/providers.ts";
import { World } from "../support/world.ts";

/** Signup links that are used by signing in with a provider. */

let idp: Idp;
let world: World;
let admin: Client;
beforeAll(async () => {
  idp = await Idp.start();
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
  admin = await world.person("admin", { isSiteAdmin: true });
  await admin.post("/api/admin/identity-providers", { slug: "example", ...idp.settings });
});
afterAll(async () => {
  await world.stop();
  await idp.stop();
});
let count = 0;
let name: string;
beforeEach(() => {
  name = `person-${++count}`;
});

const START = "/api/auth/oidc/example/start";
const sharedLink = async (max_uses = 2) => {
  const { body } = await admin.post("/api/admin/invite-links", { max_uses });
  return { id: body.id as string, token: body.link.split("#token=")[1] as string };
};
const visitor = () => new Visitor(world, "example");
/** Goes to the provider with a link, and comes back as someone whose address it does not vouch for. */
async function follow(browser: Visitor, token: string, claims: object = {}) {
  const { redirect } = (await browser.post(START, { token })).body;
  const person = { sub: name, email: `${name}@example.org`, ...claims };
  return browser.get(idp.signIn(redirect, person));
}

test("a link for several people lets its number in, whatever the provider says of addresses", async () => {
  const { id, token } = await sharedLink();
  for (const username of [name, `${name}-b`]) {
    name = username;
    const browser = visitor();
    expect((await follow(browser, token)).status).toBe(302);
    expect(await browser.whoAmI()).toBe(username);
    // Who has come in signs in again without a link.
    const again = visitor();
    await again.signIn(idp, { sub: username });
    expect(await again.whoAmI()).toBe(username);
  }
  const { items } = (await admin.get("/api/admin/invite-links")).body;
  expect(items.find((item: { id: string }) => item.id === id)).toMatchObject({ uses: 2 });
  expectProblem(await visitor().post(START, { token }), 404, "link_not_found");
});

test("an emailed link makes the account of its address, in its rooms", async () => {
  const room = await world.room(name, admin);
  const email = `${name}@invited.example`;
  const { link } = (await admin.post("/api/admin/invites", { email, room_ids: [room] })).body;
  const browser = visitor();
  await follow(browser, link.split("#token=")[1], { email: "other@example.org" });
  expect((await browser.client.get("/api/auth/me")).body.email).toBe(email);
  const { items } = (await browser.client.get("/api/rooms")).body;
  expect(items.map((item: { id: string }) => item.id)).toContain(room);
});

test("an account starts with the default sections", async () => {
  const id = crypto.randomUUID();
  const sections = [{ id, name: "Projects", is_collapsed: false, room_ids: [] }];
  const path = "/api/admin/settings/sections";
  expect((await admin.put(path, { base_version: 0, sections })).status).toBe(200);
  const browser = visitor();
  await follow(browser, (await sharedLink()).token);
  const { body } = await browser.client.get("/api/auth/me/sections");
  expect(body).toEqual({ version: 0, sections });
});

test("a link that is used up or revoked meanwhile lets nobody in", async () => {
  const { id, token } = await sharedLink(1);
  const [first, second] = [visitor(), visitor()];
  const begun = (await first.post(START, { token })).body.redirect;
  expect((await follow(second, token)).status).toBe(302);
  const late = { sub: `${name}-late`, email: `${name}-late@example.org` };
  expect((await first.get(idp.signIn(begun, late))).status).toBe(403);
  await admin.delete(`/api/admin/invite-links/${id}`);
  expectProblem(await first.post(START, { token }), 404, "link_not_found");
  expectProblem(await first.post(START, { token: "unknown" }), 404, "link_not_found");
});

test("a link opens no account that exists, and no page of another site may use it", async () => {
  const owner = await world.person(name);
  const { token } = await sharedLink(1);
  expect((await follow(visitor(), token)).status).toBe(409);
  expect((await owner.get("/api/auth/me/identities")).body.items).toEqual([]);
  const elsewhere = { origin: "https://evil.example" };
  const lured = await world.anonymous.call("POST", START, { token }, elsewhere);
  expectProblem(lured, 403, "cross_origin");
});
