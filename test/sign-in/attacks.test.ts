import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Client, expectProblem } from "../support/client.ts";
import { beginLogin, turnOnTotp } from "../support/factors.ts";
import { Idp } from "../support/idp.ts";
import { Visitor } from "../support/providers.ts";
import { ROUTES } from "../support/routes.ts";
import { PASSWORD, World } from "../support/world.ts";
import { SCOPES } from "../../src/wire/scopes.ts";

/** What someone tries who wants another's account. */

let idp: Idp;
let other: Idp;
let world: World;
let admin: Client;
beforeAll(async () => {
  [idp, other] = await Promise.all([Idp.start(), Idp.start()]);
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
  admin = await world.person("admin", { isSiteAdmin: true });
  for (const [slug, provider] of [
    ["one", idp],
    ["other", other],
  ] as const) {
    const params = { slug, ...provider.settings, allow_signup: true };
    expect((await admin.post("/api/admin/identity-providers", params)).status).toBe(201);
  }
});
afterAll(async () => {
  await world.stop();
  await Promise.all([idp.stop(), other.stop()]);
});
let count = 0;
let name: string;
beforeEach(() => {
  name = `person-${++count}`;
});
const claims = () => ({ sub: name, email: `${name}@example.org`, email_verified: true });

describe("a sign-in at a provider", () => {
  test("does not end at the address of another provider (RFC 9207, 1)", async () => {
    const browser = new Visitor(world, "one");
    const back = idp.signIn(await browser.start(), claims());
    const mixed = await browser.get(back.replace("/oidc/one/", "/oidc/other/"));
    expect([mixed.status, await browser.whoAmI()]).toEqual([401, null]);
    // Nor does the same subject of another issuer open the account.
    await new Visitor(world, "one").signIn(idp, claims());
    const thief = new Visitor(world, "other");
    expect((await thief.signIn(other, claims())).status).toBe(409);
    expect(await thief.whoAmI()).toBeNull();
  });

  test("ends after ten minutes", async () => {
    const browser = new Visitor(world, "one");
    const back = idp.signIn(await browser.start(), claims());
    await world.database
      .sql`update oidc_flows set expires_at = clock_timestamp() - interval '1 second'`;
    expect((await browser.get(back)).status).toBe(401);
  });

  test("leads back to this site, whatever was asked for", async () => {
    const home = world.service.address;
    const hostile = ["//", "///", "/\\", "/.//", "/..//", "/%2e//", "/./..//", "/a/..//", "\\/"]
      .map((start) => `${start}evil.example/x`)
      .concat([
        "/\t/evil.example",
        "/\n/evil.example",
        "https:evil.example",
        "javascript:alert(1)",
      ]);
    for (const to of hostile) {
      const path = `/api/auth/oidc/one/start?return_to=${encodeURIComponent(to)}`;
      expect([to, (await world.anonymous.get(path)).status]).toEqual([to, 422]);
    }
    for (const to of ["/@evil.example", "/;//evil.example", "/rooms/%2F%2Fevil.example", "/?//x"]) {
      const browser = new Visitor(world, "one");
      const back = await browser.signIn(idp, claims(), `?return_to=${encodeURIComponent(to)}`);
      const location = back.headers.get("location") ?? "";
      expect([to, new URL(location, home).origin]).toEqual([to, home]);
    }
  });

  test("begins a session of its own, as a password does, whatever cookie was planted", async () => {
    const planted = "a".repeat(43);
    const browser = new Visitor(world, "one", `snug_session=${planted}`);
    await browser.signIn(idp, claims());
    expect(await browser.whoAmI()).toBe(name);
    expect(browser.cookies.get("snug_session")).not.toBe(planted);
    await world.person(`${name}-b`);
    const body = { username: `${name}-b`, password: PASSWORD };
    const cookie = `snug_session=${planted}`;
    const answer = await world.anonymous.call("POST", "/api/auth/login", body, { cookie });
    const given = answer.headers.getSetCookie()[0]?.split(";")[0];
    expect([answer.status, given === cookie]).toEqual([200, false]);
    expectProblem(
      await new Client(world.service.address, cookie).get("/api/auth/me"),
      401,
      "unauthenticated",
    );
  });
});

describe("a proof", () => {
  const own = ROUTES.filter(
    ({ path, access }) => access === "person" && path.startsWith("/api/auth/"),
  );

  test("is not gone around with a bot's token, beside a person's cookie neither", async () => {
    const person = await world.person(name);
    const bot = await world.bot(`${name}-bot`, [...SCOPES]);
    const token = { authorization: `Bearer ${bot.token}`, cookie: person.cookie ?? "" };
    expect(own.length).toBeGreaterThan(15);
    for (const { method, path } of own) {
      const address = path.replace(/:[a-z_]+/g, () => Bun.randomUUIDv7());
      const answer = await world.anonymous.call(method, address, undefined, token);
      expect([method, path, answer.body.code]).toEqual([method, path, "not_for_bots"]);
    }
  });

  test("is not asked of, nor given to, pages of other sites", async () => {
    const person = await world.person(name);
    const changing = own.filter(({ method }) => method !== "GET");
    for (const { method, path } of changing) {
      const address = path.replace(/:[a-z_]+/g, () => Bun.randomUUIDv7());
      const headers = { cookie: person.cookie ?? "", origin: "https://evil.example" };
      const answer = await world.anonymous.call(method, address, undefined, headers);
      expect([method, path, answer.body.code]).toEqual([method, path, "cross_origin"]);
    }
  });
});

test("the wait for a second factor is no session", async () => {
  const person = await world.person(name);
  await turnOnTotp(person);
  const { cookie } = await beginLogin(world, name);
  const value = cookie.split("=")[1];
  const client = new Client(world.service.address, `snug_session=${value}; ${cookie}`);
  expectProblem(await client.get("/api/auth/me"), 401, "unauthenticated");
  const socket = await fetch(`${world.service.address}/ws/chat`, {
    headers: { cookie: client.cookie ?? "", origin: world.service.address },
  });
  expect(socket.status).toBe(401);
});
