import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { parseEgressAllow } from "../../src/platform/egress/rules.ts";
import { loadSecretKey } from "../../src/platform/secrets/secrets.ts";
import { createDiscovery } from "../../src/providers/deps.ts";
import { reportSignIn } from "../../src/providers/report.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { runCli } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { beginLogin, turnOnTotp } from "../support/factors.ts";
import { Idp } from "../support/idp.ts";
import { Visitor } from "../support/providers.ts";
import { PASSWORD, World } from "../support/world.ts";

/** Providers that everyone must use, and sessions that they end. */

let idp: Idp;
let world: World;
let admin: Client;
let path: string;
beforeAll(async () => {
  idp = await Idp.start();
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" }, { providerMs: 1_000 });
  admin = await world.person("admin", { isSiteAdmin: true });
  const params = { slug: "example", ...idp.settings, allow_signup: true };
  path = `/api/admin/identity-providers/${
    (await admin.post("/api/admin/identity-providers", params)).body.id
  }`;
});
afterAll(async () => {
  await world.stop();
  await idp.stop();
});
const cli = (...args: string[]) =>
  runCli(args, { DATABASE_URL: urlOf(world.target), DATA_DIR: world.settings.DATA_DIR });
const visitor = (session: string | null = null) => new Visitor(world, "example", session);
const login = async (username: string) => (await beginLogin(world, username)).answer.status;
let count = 0;
let name: string;
beforeEach(() => {
  name = `person-${++count}`;
});
afterEach(() => {
  idp.faults = {};
});
const claims = (more: object = {}) => ({
  sub: name,
  email: `${name}@example.org`,
  email_verified: true,
  ...more,
});

describe("an exclusive provider", () => {
  const emergency = () =>
    admin.patch(`/api/admin/users/${admin.user.id}`, { keeps_password: true });

  test("needs an administrator with a password and a second factor", async () => {
    const ask = () => admin.patch(path, { is_exclusive: true });
    expectProblem(await ask(), 409, "no_emergency_account");
    expect((await cli("oidc", "set", "example", "--exclusive=on")).status).toBe(1);
    const params = { slug: "other", ...idp.settings, is_exclusive: true };
    const other = await admin.post("/api/admin/identity-providers", params);
    expectProblem(other, 409, "no_emergency_account");
    await emergency();
    expectProblem(await ask(), 409, "no_emergency_account");
    await turnOnTotp(admin);
    expect((await admin.get("/api/admin/settings/sign-in")).body.emergency_accounts).toBe(1);
    expect((await ask()).status).toBe(200);
    expect((await world.anonymous.get("/api/auth/methods")).body).toMatchObject({
      passwords: false,
      providers: [{ slug: "example", name: "Example" }],
      sends_mail: false,
    });
  });

  test("leads on failed sign-ins to the emergency door as well as back to itself", async () => {
    const html = { accept: "text/html", "accept-language": "es" };
    for (const query of ["state=x&code=y", "error=server_error"]) {
      const path = `/api/auth/oidc/example/callback?${query}`;
      const { body } = await visitor().get(path, html);
      expect(body).toContain('<a href="/signin">Intentarlo de nuevo</a>');
      expect(body).toContain('href="/signin?password=1">Iniciar sesión con contraseña');
    }
  });

  test("turns passwords off for all others, in the words of any failed sign-in", async () => {
    const person = await world.person(name);
    const { answer } = await beginLogin(world, name);
    const unknown = (await beginLogin(world, "nobody")).answer;
    expect([answer.status, answer.body]).toEqual([401, unknown.body]);
    expect(await login("admin")).toBe(202);
    const proof = await person.post("/api/auth/proof", { password: PASSWORD });
    expectProblem(proof, 401, "invalid_credentials");
    const link = (await admin.post("/api/admin/invite-links")).body.link.split("#token=")[1];
    const signup = { token: link, username: "x", email: "x@example.org", password: PASSWORD };
    expectProblem(await world.anonymous.post("/api/signup", signup), 403, "passwords_off");
    const through = "/api/auth/oidc/example/start";
    const { redirect } = (await world.anonymous.post(through, { token: link })).body;
    expect(redirect).toStartWith(idp.issuer);
    expect(await login(name)).toBe(401);
  });

  test("keeps its last emergency account, against everything but the command line", async () => {
    const other = await world.person(name, { isSiteAdmin: true });
    const id = admin.user.id;
    const refusals = [
      await admin.patch(`/api/admin/users/${id}`, { keeps_password: false }),
      await admin.delete("/api/auth/me/totp"),
      await other.post(`/api/admin/users/${id}/reset-second-factor`),
      await other.post(`/api/admin/users/${id}/demote`),
      await other.post(`/api/admin/users/${id}/deactivate`),
    ];
    for (const refused of refusals) expectProblem(refused, 409, "no_emergency_account");
    expect((await cli("user", "demote", "admin")).status).toBe(1);
    expect((await cli("user", "keeps-password", "admin", "off")).status).toBe(1);
    // Who has lost the phone gets in again with the password that they keep.
    expect((await cli("user", "reset-second-factor", "admin")).status).toBe(0);
    expect(await login("admin")).toBe(200);
    admin = await world.signIn(admin.user);
    await turnOnTotp(admin);
  });

  test("is turned back by the command line", async () => {
    await world.person(name);
    expect(await login(name)).toBe(401);
    expect((await cli("oidc", "set", "example", "--exclusive=off")).status).toBe(0);
    expect(await login(name)).toBe(200);
    const shown = JSON.parse((await cli("oidc", "list", "--json")).out);
    expect(shown).toMatchObject([{ slug: "example", is_exclusive: false }]);
    expect(JSON.stringify(shown)).not.toContain(idp.settings.client_secret);
  });
});

describe("a session that began with a provider", () => {
  test("ends there too, where the provider has an address for it", async () => {
    const browser = visitor();
    await browser.signIn(idp, claims());
    const other = visitor();
    await other.signIn(idp, claims());
    const answer = await browser.client.post("/api/auth/logout", { everywhere: true });
    const url = new URL(answer.body.redirect);
    expect(url.origin + url.pathname).toBe(`${idp.issuer}/end`);
    expect(url.searchParams.get("client_id")).toBe("snug");
    expect([await browser.whoAmI(), await other.whoAmI()]).toEqual([null, null]);
    const plain = await world.person(`${name}-plain`);
    const local = await plain.post("/api/auth/logout", { everywhere: true });
    expect(local.body).toEqual({ redirect: null });
  });

  test("ends after the provider's hours, and is not extended beyond", async () => {
    await admin.patch(path, { max_session_hours: 8 });
    const browser = visitor();
    await browser.signIn(idp, claims());
    const { id } = (await browser.client.get("/api/auth/me")).body;
    const { sql } = world.database;
    const hours = async () => {
      const [row] = await sql<{ left: number }[]>`select
        extract(epoch from expires_at - clock_timestamp())::float8 / 3600 as left
        from sessions where user_id = ${id}`;
      return row?.left ?? 0;
    };
    expect(await hours()).toBeWithin(7.9, 8.01);
    await sql`update sessions set last_seen_at = clock_timestamp() - interval '2 hours'
      where user_id = ${id}`;
    expect(await browser.whoAmI()).toBe(name);
    expect(await hours()).toBeWithin(7.9, 8.01);
    await sql`update sessions set expires_at = clock_timestamp() - interval '1 second' where user_id = ${id}`;
    expect(await browser.whoAmI()).toBeNull();
  });

  test("ends with its provider, or when that is disabled", async () => {
    const browser = visitor();
    await browser.signIn(idp, claims());
    const socket = await browser.client.socket({ origin: world.service.address });
    await admin.patch(path, { is_enabled: false });
    expect((await socket.closing()).code).toBe(4401);
    const start = await world.anonymous.get("/api/auth/oidc/example/start");
    expectProblem(start, 404, "not_found");
    await admin.patch(path, { is_enabled: true });
    const params = { slug: `own-${count}`, ...idp.settings };
    const own = (await admin.post("/api/admin/identity-providers", params)).body;
    const second = new Visitor(world, own.slug);
    await second.signIn(idp, claims());
    expect(await second.whoAmI()).toBe(name);
    await admin.delete(`/api/admin/identity-providers/${own.id}`);
    expect(await second.whoAmI()).toBeNull();
    const third = visitor();
    await third.signIn(idp, claims());
    expect(await third.whoAmI()).toBe(name);
  });
});

describe("back-channel logout", () => {
  const send = (token: string) =>
    world.anonymous.call(
      "POST",
      "/api/auth/oidc/example/backchannel-logout",
      `logout_token=${token}`,
      { "content-type": "application/x-www-form-urlencoded" },
    );

  test("ends the session of one sign-in there, and its sockets", async () => {
    const [one, other] = [visitor(), visitor()];
    await one.signIn(idp, claims({ sid: `${name}-a` }));
    await other.signIn(idp, claims({ sid: `${name}-b` }));
    const socket = await one.client.socket();
    const token = await idp.logoutToken({ sub: name, sid: `${name}-a` });
    expect((await send(token)).status).toBe(200);
    expect((await socket.closing()).code).toBe(4401);
    expect([await one.whoAmI(), await other.whoAmI()]).toEqual([null, name]);
    // It works once.
    expect((await send(token)).status).toBe(400);
    expect((await send(await idp.logoutToken({ sub: name }))).status).toBe(200);
    expect(await other.whoAmI()).toBeNull();
  });

  test.each([
    ["of an ID token's kind", { nonce: "x" }, {}, {}],
    ["for another client", { aud: "another" }, {}, {}],
    ["of another issuer", { iss: "https://evil.example" }, {}, {}],
    ["without the event", { events: {} }, {}, {}],
    ["without a jti", { jti: undefined }, {}, {}],
    ["that has expired", { exp: Math.floor(Date.now() / 1_000) - 70 }, {}, {}],
    ["for nobody", { sub: undefined }, {}, {}],
    ["of another type", {}, { typ: "at+jwt" }, {}],
    ["with NUL in its subject", { sub: "a\0b" }, {}, {}],
    ["with half a surrogate pair in its session", { sid: "a\ud800" }, {}, {}],
    ["of a blank subject", { sub: " " }, {}, {}],
    ["of a number as subject", { sub: 7 }, {}, {}],
    ["of a list as session", { sid: ["a"] }, {}, {}],
    ["whose id is too long", { jti: "x".repeat(3_000) }, {}, {}],
    ["whose id has NUL", { jti: "a\0" }, {}, {}],
    ["whose id is an object", { jti: { a: 1 } }, {}, {}],
    ["that expires beyond all dates", { exp: 1e15 }, {}, {}],
    ["without a signature", {}, {}, { signature: "none" as const }],
    ["with someone else's key", {}, {}, { signature: "foreign" as const }],
  ])("refuses a token %s", async (_, more, header, faults) => {
    const browser = visitor();
    await browser.signIn(idp, claims());
    idp.faults = faults;
    const token = await idp.logoutToken({ sub: name, ...more }, header);
    expect((await send(token)).status).toBe(400);
    expect(await browser.whoAmI()).toBe(name);
  });
});

describe("a test of a provider", () => {
  const run = async () => (await admin.post(`${path}/test`)).body;

  test("says what works", async () => {
    expect(await run()).toMatchObject({
      ok: true,
      checks: ["discovery", "endpoints", "keys", "clock", "client"].map((check) => ({
        check,
        ok: true,
      })),
    });
  });

  test("says what does not: an address inside, another issuer, one that hangs", async () => {
    idp.faults = { hangs: "discovery" };
    expect(await run()).toMatchObject({ ok: false, checks: [{ check: "discovery" }] });
    idp.faults = {};
    const params = { slug: `bad-${count}`, ...idp.settings };
    const provider = (await admin.post("/api/admin/identity-providers", params)).body;
    const other = `/api/admin/identity-providers/${provider.id}`;
    const issuer = `${idp.issuer}/other`;
    const response = await admin.patch(other, { issuer });
    expectProblem(response, 422, "validation");
    expect(response.body.errors).toMatchObject([{ path: "/client_secret" }]);
    await admin.patch(other, { issuer, client_secret: "its own" });
    expect((await admin.post(`${other}/test`)).body.ok).toBe(false);
    await admin.patch(other, { issuer: "https://10.1.2.3", client_secret: "its own" });
    const inside = (await admin.post(`${other}/test`)).body;
    expect(inside.checks[0].detail).toContain("EGRESS_ALLOW");
    expectProblem(
      await world.anonymous.get(`/api/auth/oidc/${provider.slug}/start`),
      502,
      "provider_failed",
    );
  });

  test("says that the secret is wrong, as when it has expired", async () => {
    const params = { slug: `old-${count}`, ...idp.settings, client_secret: "an old one" };
    const provider = (await admin.post("/api/admin/identity-providers", params)).body;
    const { checks } = (await admin.post(`/api/admin/identity-providers/${provider.id}/test`)).body;
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toMatchObject([
      { check: "client", detail: expect.stringContaining("rejects the client ID or secret") },
    ]);
    const answer = await new Visitor(world, provider.slug).signIn(idp, claims());
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("administrator")]);
    await admin.delete(`/api/admin/identity-providers/${provider.id}`);
  });

  test("refuses an issuer without https that is not on this machine", async () => {
    const params = { slug: "plain", ...idp.settings, issuer: "http://idp.example.org" };
    const response = await admin.post("/api/admin/identity-providers", params);
    expect(response.body.errors).toMatchObject([{ path: "/issuer" }]);
    const twice = { slug: "example", ...idp.settings };
    expectProblem(await admin.post("/api/admin/identity-providers", twice), 409, "slug_taken");
  });
});

test("the doctor and the start name a provider that fails, and passkeys that a new BASE_URL has left behind", async () => {
  const report = () =>
    reportSignIn(world.database.db, {
      egress: createEgress({ allow: parseEgressAllow("127.0.0.1") }),
      discovery: createDiscovery(),
      readKey: () => loadSecretKey(world.settings.DATA_DIR, null),
      baseUrl: "http://localhost",
    });
  const { sql } = world.database;
  await sql`update identity_providers set is_enabled = slug = 'example'`;
  expect(await report()).toEqual({ providers: 1, problems: [] });
  const values = { slug: `gone-${count}`, ...idp.settings, issuer: "http://127.0.0.1:9" };
  const gone = (await admin.post("/api/admin/identity-providers", values)).body;
  const { user } = await world.person(name);
  await sql`update users set second_factor_at = clock_timestamp() where id = ${user.id}`;
  await sql`insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports,
      aaguid, rp_id, name, is_synced)
    values (${Bun.randomUUIDv7()}, ${user.id}, 'x', 'x', 0, '{}', '', 'old.example.org', 'x', false)`;
  const { problems } = await report();
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain(`The provider ${values.slug}: discovery`);
  expect(problems[1]).toContain("1 passkeys were created for old.example.org");
  expect(problems[1]).toContain("1 people have no other factor");
  await sql`delete from passkeys`;
  await admin.delete(`/api/admin/identity-providers/${gone.id}`);
  // Only the command line can leave an exclusive provider like this.
  await sql`update identity_providers set is_exclusive = true where slug = 'example'`;
  expect((await report()).problems).toEqual([]);
  await sql`update users set keeps_password = false`;
  expect((await report()).problems).toEqual([
    expect.stringContaining("A provider is exclusive, and no administrator"),
  ]);
  await sql`update users set keeps_password = true where username = 'admin'`;
  await sql`update identity_providers set is_exclusive = false`;
});

describe("the provider of the environment", () => {
  test("is read-only but for its switches, and goes with its variables", async () => {
    const { issuer, client_id, client_secret } = idp.settings;
    const env = {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client_id,
      OIDC_CLIENT_SECRET: client_secret,
      OIDC_NAME: "Company",
    };
    await world.secondInstance(env);
    const list = async () =>
      (await admin.get("/api/admin/identity-providers?limit=200")).body.items.find(
        (item: { slug: string }) => item.slug === "sso",
      );
    const provider = await list();
    expect(provider).toMatchObject({
      name: "Company",
      is_from_environment: true,
      is_enabled: true,
    });
    const own = `/api/admin/identity-providers/${provider.id}`;
    const response = await admin.patch(own, { client_id: "x" });
    expectProblem(response, 409, "provider_from_environment");
    expectProblem(await admin.delete(own), 409, "provider_from_environment");
    expect((await admin.patch(own, { allow_signup: true })).status).toBe(200);
    const browser = new Visitor(world, "sso");
    await browser.signIn(idp, claims());
    expect(await browser.whoAmI()).toBe(name);
    await world.secondInstance();
    expect(await list()).toMatchObject({ is_from_environment: false, is_enabled: false });
    expect(await browser.whoAmI()).toBeNull();
  });
});
