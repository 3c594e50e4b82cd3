import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { enqueueJob } from "../../src/jobs-queue/enqueue.ts";
import { type Client, expectProblem, formOf } from "../support/client.ts";
import { codeOf, expireReauthentication, turnOnTotp } from "../support/factors.ts";
import { type Faults, Idp } from "../support/idp.ts";
import { PNG, picture } from "../support/images.ts";
import { Visitor } from "../support/providers.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let idp: Idp;
let world: World;
let admin: Client;
let provider: string;
const PATH = "/api/admin/identity-providers";
const START = {
  link_by_email: false,
  trusts_email: false,
  allow_signup: false,
  allowed_domains: [] as string[],
  counts_as_second_factor: false,
  is_exclusive: false,
  is_enabled: true,
  sync_profile: false,
  groups_claim: null,
  admin_group: null,
  max_session_hours: 720,
  proves_without_auth_time: false,
};
beforeAll(async () => {
  idp = await Idp.start();
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" }, { providerMs: 1_000 });
  admin = await world.person("admin", { isSiteAdmin: true, displayName: "Ada" });
  const response = await admin.post(PATH, { slug: "example", ...idp.settings });
  expect(response.status).toBe(201);
  provider = response.body.id;
});
afterAll(async () => {
  await world.stop();
  await idp.stop();
});
const set = async (switches: object) => {
  const { status, body } = await admin.patch(`${PATH}/${provider}`, switches);
  expect([status, body]).toEqual([200, body]);
  return body;
};
let count = 0;
let name: string;
beforeEach(() => {
  name = `person-${++count}`;
});
afterEach(async () => {
  idp.faults = {};
  await set(START);
});

const visitor = (session: string | null = null) => new Visitor(world, "example", session);
const verified = (more: object = {}) => ({
  sub: name,
  email: `${name}@example.org`,
  email_verified: true,
  ...more,
});
/** Expects a page that says what failed. */
function expectPage(answer: { status: number; body: string; headers: Headers }, status: number) {
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    status,
    "text/html; charset=utf-8",
  ]);
  expect(answer.body).toContain("<a href=");
  return answer.body;
}

describe("signing in with a provider", () => {
  test("goes there with state, nonce and PKCE, and comes back signed in", async () => {
    await set({ allow_signup: true, allowed_domains: ["example.org"] });
    const browser = visitor();
    const location = new URL(await browser.start("?return_to=/rooms/x%3Fy=1"));
    expect(location.origin).toBe(idp.issuer);
    const query = Object.fromEntries(location.searchParams);
    expect(query).toMatchObject({
      client_id: "snug",
      response_type: "code",
      response_mode: "query",
      code_challenge_method: "S256",
      scope: "openid profile email",
    });
    for (const param of ["state", "nonce", "code_challenge"]) expect(query[param]).toHaveLength(43);
    const claims = verified({ preferred_username: "Zoë.Müller@corp", name: "Zoë Müller" });
    const back = await browser.get(idp.signIn(location.href, claims));
    expect([back.status, back.headers.get("location")]).toEqual([302, "/rooms/x?y=1"]);
    expect(await browser.whoAmI()).toBe("zoe.muller");
    const { items } = (await browser.client.get("/api/auth/me/sessions")).body;
    expect(items).toMatchObject([{ method: "provider", provider: "Example" }]);
    expect((await browser.client.get("/api/auth/me/identities")).body.items).toMatchObject([
      { provider: { slug: "example" }, email: `${name}@example.org`, issuer: idp.issuer },
    ]);
    // Another time it is the same account, whatever else is said.
    const again = visitor();
    await again.signIn(idp, { sub: name, email: "admin@example.org", email_verified: true });
    expect(await again.whoAmI()).toBe("zoe.muller");
  });

  test("takes a free name, and the number after it", async () => {
    await set({ allow_signup: true });
    await world.person("grace");
    const browser = visitor();
    await browser.signIn(idp, verified({ preferred_username: "Grace" }));
    expect(await browser.whoAmI()).toBe("grace2");
  });

  test("reads what only the user info says", async () => {
    await set({ allow_signup: true });
    idp.faults = { userInfo: { email: `${name}@example.org`, email_verified: true, name: "Info" } };
    const browser = visitor();
    await browser.signIn(idp, { sub: name });
    expect((await browser.client.get("/api/auth/me")).body.display_name).toBe("Info");
  });

  test.each(["//evil.example", "https://evil.example/", "/\\evil.example", "/api/auth/me", "x"])(
    "does not return to %s",
    async (to) => {
      const path = `/api/auth/oidc/example/start?return_to=${encodeURIComponent(to)}`;
      expectProblem(await world.anonymous.get(path), 422, "validation");
    },
  );

  test("answers browsers with pages in their language", async () => {
    const browser = visitor();
    const headers = { "accept-language": "de-DE,de;q=0.9", accept: "text/html" };
    const answer = await browser.get("/api/auth/oidc/example/callback?state=x&code=y", headers);
    expect(expectPage(answer, 401)).toContain("zu lange gedauert");
  });
});

describe("an answer that does not hold is refused:", () => {
  const faults: [string, Faults][] = [
    ["another issuer", { claims: { iss: "https://evil.example" } }],
    ["another issuer beside the code", { responseIssuer: "https://evil.example" }],
    ["another audience", { claims: { aud: "someone else" } }],
    ["another nonce", { claims: { nonce: "another" } }],
    ["no nonce", { claims: { nonce: undefined } }],
    ["no signature", { signature: "none" }],
    ["a key of someone else", { signature: "foreign" }],
    ["a changed token", { signature: "broken" }],
    ["one that has expired", { claims: { exp: Math.floor(Date.now() / 1_000) - 70 } }],
    ["no subject", { claims: { sub: undefined } }],
  ];
  test.each(faults)("%s", async (_, fault) => {
    await set({ allow_signup: true });
    idp.faults = fault;
    const browser = visitor();
    expectPage(await browser.signIn(idp, verified()), 400);
    expect(await browser.whoAmI()).toBeNull();
    const [row] = await world.database
      .sql`select from users where email = ${`${name}@example.org`}`;
    expect(row).toBeUndefined();
  });

  test("one from another browser, and one that was used", async () => {
    await set({ allow_signup: true });
    const browser = visitor();
    const path = idp.signIn(await browser.start(), verified());
    expectPage(await visitor().get(path), 401);
    expectPage(await browser.get(path), 401);
    const other = visitor();
    const good = idp.signIn(await other.start(), verified());
    expect((await other.get(good)).status).toBe(302);
    expectPage(await other.get(good), 401);
    // Nor is its code good in another sign-in.
    const location = await other.start();
    const fresh = new URL(idp.signIn(location, verified()), "http://x");
    fresh.searchParams.set("code", new URL(good, "http://x").searchParams.get("code") ?? "");
    expectPage(await other.get(fresh.pathname + fresh.search), 400);
  });

  test("one of a clock that is off is refused beyond a minute only", async () => {
    await set({ allow_signup: true });
    const now = Math.floor(Date.now() / 1_000);
    idp.faults = { claims: { exp: now - 30, iat: now - 90 } };
    expect((await visitor().signIn(idp, verified())).status).toBe(302);
  });

  test("one that was cancelled says so", async () => {
    const browser = visitor();
    const state = new URL(await browser.start()).searchParams.get("state");
    const query = `error=access_denied&state=${state}&iss=${encodeURIComponent(idp.issuer)}`;
    const answer = await browser.get(`/api/auth/oidc/example/callback?${query}`);
    expect(expectPage(answer, 403)).toContain("cancelled");
  });

  test("one of a provider that cannot do it now says that one can try later", async () => {
    for (const error of ["server_error", "temporarily_unavailable"]) {
      const browser = visitor();
      const state = new URL(await browser.start()).searchParams.get("state");
      const query = `error=${error}&state=${state}&iss=${encodeURIComponent(idp.issuer)}`;
      const answer = await browser.get(`/api/auth/oidc/example/callback?${query}`);
      expect(expectPage(answer, 502)).toContain("Try again later");
    }
  });

  test.each(["token", "jwks"] as const)("a %s address that hangs", async (hangs) => {
    await set({ allow_signup: true });
    idp.faults = { hangs };
    const answer = await visitor().signIn(idp, verified());
    expect(expectPage(answer, 502)).toContain("cannot be reached");
  });

  test("new keys count at once", async () => {
    await set({ allow_signup: true });
    await visitor().signIn(idp, verified());
    await idp.rotateKeys();
    const described = idp.calls.get("openid-configuration");
    expect((await visitor().signIn(idp, verified())).status).toBe(302);
    // What it says of itself is asked for once an hour.
    expect(idp.calls.get("openid-configuration")).toBe(described ?? 0);
  });
});

describe("whose account it is", () => {
  const invited = () =>
    admin.post("/api/admin/invites", { email: `${name}@example.org`, room_ids: [] });

  test("nobody's without an invite, which says whom to ask", async () => {
    const page = expectPage(await visitor().signIn(idp, verified()), 403);
    expect(page).toContain("Ask Ada");
    const browser = visitor();
    const german = { "accept-language": "de" };
    const seite = await browser.get(idp.signIn(await browser.start(), verified()), german);
    expect(expectPage(seite, 403)).toContain("Bitte Ada um eine Einladung");
  });

  test("an invited one's, with a verified address alone", async () => {
    await invited();
    expectPage(await visitor().signIn(idp, verified({ email_verified: false })), 403);
    const browser = visitor();
    expect((await browser.signIn(idp, verified())).status).toBe(302);
    expect(await browser.whoAmI()).toBe(name);
    const { items } = (await admin.get("/api/admin/invites?limit=200")).body;
    const invite = items.find((item: { email: string }) => item.email === `${name}@example.org`);
    expect(invite.status).toBe("accepted");
  });

  test("not that of the same address if that is not verified, in the words for one without an account", async () => {
    await set({ link_by_email: true });
    const owner = await world.person(name);
    const claims = verified({ email_verified: false });
    const page = expectPage(await visitor().signIn(idp, claims), 403);
    const other = { ...claims, sub: `${name}-other`, email: `${name}-other@example.org` };
    expect(expectPage(await visitor().signIn(idp, other), 403)).toBe(page);
    expect((await owner.get("/api/auth/me/identities")).body.items).toEqual([]);
  });

  test.each([
    ["a verified address, unless the provider links by it", { email_verified: true }],
    ["a username of their choice", { email_verified: true, preferred_username: "admin" }],
  ])("not that of the same address: %s", async (_, claims) => {
    const owner = await world.person(name);
    expect(expectPage(await visitor().signIn(idp, verified(claims)), 409)).toContain(
      "You have an account here",
    );
    expect((await owner.get("/api/auth/me/identities")).body.items).toEqual([]);
  });

  test("that of the same verified address, where an administrator says so; mailed and audited", async () => {
    await set({ link_by_email: true });
    await world.person(name);
    expectPage(await visitor().signIn(idp, verified({ email_verified: false })), 403);
    expectPage(await visitor().signIn(idp, verified({ email_verified: undefined })), 403);
    await set({ trusts_email: true });
    expectPage(await visitor().signIn(idp, verified({ email_verified: false })), 403);
    const browser = visitor();
    await browser.signIn(idp, verified({ email_verified: undefined }));
    expect(await browser.whoAmI()).toBe(name);
    const [row] = await world.database.sql`select action, details from admin_audit_log
      where target_name = ${name}`;
    expect(row).toMatchObject({ action: "user.connect", details: { by: "email" } });
    const [job] = await world.database.sql`select payload from jobs where kind = 'security_mail'
      order by id desc limit 1`;
    expect(job?.payload ?? { change: "provider_connected" }).toMatchObject({
      change: "provider_connected",
    });
  });

  test("takes the account from the person who made it with an address that was never verified", async () => {
    await set({ link_by_email: true });
    const maker = await world.person(name, { hasUnverifiedEmail: true });
    const { secret } = await turnOnTotp(maker);
    await visitor(maker.cookie).signIn(idp, { sub: `${name}-maker` }, "?connect=1");
    const socket = await maker.socket();
    const browser = visitor();
    expect((await browser.signIn(idp, verified())).status).toBe(302);
    expect(await browser.whoAmI()).toBe(name);
    expect((await socket.closing()).code).toBe(4401);
    expectProblem(await maker.get("/api/auth/me"), 401, "unauthenticated");
    const login = { username: name, password: "correct horse battery" };
    expectProblem(await world.anonymous.post("/api/auth/login", login), 401, "invalid_credentials");
    const other = visitor();
    expectPage(await other.signIn(idp, { sub: `${name}-maker` }), 403);
    const { items } = (await browser.client.get("/api/auth/me/identities")).body;
    expect(items).toHaveLength(1);
    expect((await browser.client.get("/api/auth/me/second-factor")).body.is_on).toBe(false);
    expect(secret).toBeString();
    // Another time nothing is removed.
    await browser.client.put("/api/auth/me/password", { new_password: "a quite new password" });
    await visitor().signIn(idp, verified());
    expect((await browser.client.get("/api/auth/me")).status).toBe(200);
  });

  test("leaves an administrator's, whose address was never verified, as it is", async () => {
    await set({ link_by_email: true });
    const owner = await world.person(name, { isSiteAdmin: true, hasUnverifiedEmail: true });
    expect(expectPage(await visitor().signIn(idp, verified()), 409)).toContain(
      "You have an account",
    );
    expect((await owner.get("/api/auth/me")).status).toBe(200);
    await admin.post(`/api/admin/users/${owner.user.id}/demote`);
  });

  test("not that of an address which only another one beside it is verified for", async () => {
    await set({ link_by_email: true, groups_claim: "groups" });
    const owner = await world.person(name);
    idp.faults = { userInfo: { email: "else@example.org", email_verified: true } };
    const page = await visitor().signIn(idp, verified({ email_verified: undefined }));
    expectPage(page, 403);
    expect((await owner.get("/api/auth/me/identities")).body.items).toEqual([]);
    // The same address in both documents is one.
    idp.faults = { userInfo: { email: `${name}@example.org`, email_verified: true } };
    const browser = visitor();
    await browser.signIn(idp, verified({ email_verified: undefined }));
    expect(await browser.whoAmI()).toBe(name);
  });

  test("a new one's in an allowed domain alone", async () => {
    await set({ allow_signup: true, allowed_domains: ["Example.com"] });
    expectPage(await visitor().signIn(idp, verified()), 403);
    const email = `${name}@example.com`;
    expectPage(await visitor().signIn(idp, verified({ email, email_verified: false })), 403);
    expect((await visitor().signIn(idp, verified({ email }))).status).toBe(302);
  });

  test("not a deactivated one's, in the words of any failed sign-in", async () => {
    await set({ link_by_email: true });
    const owner = await world.person(name);
    await visitor().signIn(idp, verified());
    await admin.post(`/api/admin/users/${owner.user.id}/deactivate`);
    expect(expectPage(await visitor().signIn(idp, verified()), 401)).not.toContain("deactivated");
  });

  test("the one that connected it, with a proof", async () => {
    const owner = await world.person(name);
    const browser = visitor(owner.cookie);
    await expireReauthentication(world, owner);
    const response = await browser.get("/api/auth/oidc/example/start?connect=1");
    expectProblem(response, 403, "proof_needed");
    await owner.post("/api/auth/proof", { password: "correct horse battery" });
    const fromElsewhere = { "sec-fetch-site": "cross-site" };
    const lured = await browser.get("/api/auth/oidc/example/start?connect=1", fromElsewhere);
    expectProblem(lured, 403, "cross_origin");
    const back = await browser.signIn(idp, { sub: name }, "?connect=1");
    expect(back.headers.get("location")).toBe("/profile/security");
    const other = visitor();
    await other.signIn(idp, { sub: name });
    expect(await other.whoAmI()).toBe(name);
    // Someone else cannot connect it too.
    const thief = await world.person(`${name}-thief`);
    const taken = await visitor(thief.cookie).signIn(idp, { sub: name }, "?connect=1");
    expectPage(taken, 409);
  });

  test("is not connected in a session that ended, or in another's", async () => {
    const owner = await world.person(name);
    const browser = visitor(owner.cookie);
    const path = idp.signIn(await browser.start("?connect=1"), { sub: name });
    const other = await world.person(`${name}-other`);
    browser.cookies.set("snug_session", other.cookie?.split("=")[1] ?? "");
    expectPage(await browser.get(path), 401);
    expect((await other.get("/api/auth/me/identities")).body.items).toEqual([]);
  });
});

describe("an account without a password", () => {
  const signUp = async () => {
    await set({ allow_signup: true });
    const browser = visitor();
    await browser.signIn(idp, verified());
    return browser;
  };

  test("proves who they are by signing in there again", async () => {
    const browser = await signUp();
    const me = (await browser.client.get("/api/auth/me")).body;
    await world.database.sql`update sessions set proof_at = null where user_id = ${me.id}`;
    const response = await browser.client.post("/api/auth/me/totp");
    expect(response.body).toMatchObject({ code: "proof_needed", ways: ["provider"] });
    expectPage(await browser.signIn(idp, { sub: "someone else" }, "?proof=1"), 409);
    expectProblem(await browser.client.post("/api/auth/me/totp"), 403, "proof_needed");
    idp.faults = { claims: { auth_time: Math.floor(Date.now() / 1_000) - 3_600 } };
    expectPage(await browser.signIn(idp, verified(), "?proof=1"), 400);
    idp.faults = {};
    expect(await browser.start("?proof=1")).toContain("max_age=0&prompt=login");
    idp.faults = { claims: { auth_time: Math.floor(Date.now() / 1_000) } };
    expect((await browser.signIn(idp, verified(), "?proof=1")).status).toBe(302);
    expect((await browser.client.post("/api/auth/me/totp")).status).toBe(200);
  });

  test("does not prove it where the provider does not say when the sign-in was, but by a switch", async () => {
    const browser = await signUp();
    const forget = () =>
      world.database.sql`update sessions set proof_at = null
        where user_id = (select id from users where username = ${name})`;
    const begin = () => browser.client.post("/api/auth/me/totp");
    await forget();
    expectPage(await browser.signIn(idp, verified(), "?proof=1"), 400);
    expect((await begin()).body).toMatchObject({ code: "proof_needed", ways: [] });
    await set({ proves_without_auth_time: true });
    expect((await begin()).body).toMatchObject({ code: "proof_needed", ways: ["provider"] });
    expect((await browser.signIn(idp, verified(), "?proof=1")).status).toBe(302);
    expect((await begin()).status).toBe(200);
    // With a password they have another way.
    const new_password = "a quite new password";
    await browser.client.put("/api/auth/me/password", { new_password });
    await forget();
    expectPage(await browser.signIn(idp, verified(), "?proof=1"), 400);
    expect((await begin()).body).toMatchObject({ code: "proof_needed", ways: ["password"] });
  });

  test("keeps its last way in, until it has a password", async () => {
    const { client } = await signUp();
    const [identity] = (await client.get("/api/auth/me/identities")).body.items;
    const path = `/api/auth/me/identities/${identity.id}`;
    expectProblem(await client.delete(path), 409, "last_way_in");
    const new_password = "a quite new password";
    expect((await client.put("/api/auth/me/password", { new_password })).status).toBe(204);
    expect((await client.delete(path)).status).toBe(204);
    expect((await client.get("/api/auth/me")).status).toBe(200);
  });

  test("with an app is asked for its code, unless the provider's factor counts", async () => {
    const browser = await signUp();
    const { secret } = await turnOnTotp(browser.client);
    const again = visitor();
    const back = await again.signIn(idp, verified(), "?return_to=/rooms/x");
    expect(back.headers.get("location")).toBe("/signin?second=1&return_to=%2Frooms%2Fx");
    expect(await again.whoAmI()).toBeNull();
    const done = await again.client.call("POST", "/api/auth/login/second", {
      totp: codeOf(secret),
    });
    expect(done.body.username).toBe(name);
    // The user info says nothing about this sign-in.
    idp.faults = { userInfo: { amr: ["mfa"], sid: "x", email: verified().email } };
    const info = visitor();
    await info.signIn(idp, { sub: name });
    expect(await info.whoAmI()).toBeNull();
    idp.faults = {};
    const mfa = visitor();
    await mfa.signIn(idp, verified({ amr: ["pwd", "mfa"] }));
    expect(await mfa.whoAmI()).toBe(name);
    await set({ counts_as_second_factor: true });
    const counted = visitor();
    await counted.signIn(idp, verified());
    expect(await counted.whoAmI()).toBe(name);
  });
});

describe("a claim that cannot be stored", () => {
  test.each([
    ["empty", ""],
    ["blank", " \t "],
    ["invisible", "\u200b\u2060"],
    ["with NUL", "a\0"],
    ["with half a surrogate pair", "a\ud800"],
    ["too long", "x".repeat(256)],
    ["a number", 7],
    ["a list", ["a"]],
    ["an object", { a: 1 }],
  ])("is a page, as a subject: %s", async (_, sub) => {
    await set({ allow_signup: true });
    idp.faults = { claims: { sub } as never };
    const browser = visitor();
    expectPage(await browser.signIn(idp, verified()), 400);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("subjects that differ are different people", async () => {
    await set({ allow_signup: true });
    const subjects = [`${name}\ufffd`, name, `${name} `, "x".repeat(255)];
    for (const [i, sub] of subjects.entries()) {
      const browser = visitor();
      await browser.signIn(idp, verified({ sub, email: `${name}-${i}@example.org` }));
      expect((await browser.client.get("/api/auth/me")).body.email).toBe(
        `${name}-${i}@example.org`,
      );
    }
  });

  const VALUES = [
    "a\0b",
    "a\ud800",
    "x".repeat(3_000),
    "\u202eevil",
    "\x07",
    7,
    true,
    null,
    [],
    ["a", 1],
    {},
  ];
  const NAMES = [
    "name",
    "preferred_username",
    "picture",
    "sid",
    "amr",
    "auth_time",
    "groups",
    "email_verified",
  ];
  test.each(NAMES)("is left out, as %s", async (claim) => {
    await set({
      allow_signup: true,
      trusts_email: true,
      sync_profile: true,
      groups_claim: "groups",
      admin_group: "x",
    });
    for (const value of VALUES) {
      const answer = await visitor().signIn(idp, verified({ [claim]: value }));
      const isRefused = claim === "email_verified" && value !== true && value !== null;
      if (isRefused) expect([302, 403]).toContain(answer.status);
      else expect([claim, value, answer.status]).toEqual([claim, value, 302]);
    }
  });

  test.each(VALUES.map((value) => [value] as [unknown]))("is no address: %p", async (email) => {
    await set({ allow_signup: true, trusts_email: true, link_by_email: true });
    idp.faults = { userInfo: { email } };
    expectPage(await visitor().signIn(idp, verified({ email })), 403);
  });
});

describe("what a provider says of people", () => {
  test("changes no role where its groups are not understood, or too many", async () => {
    await set({ allow_signup: true, groups_claim: "groups", admin_group: "admins" });
    const browser = visitor();
    const isAdmin = async () => (await browser.client.get("/api/auth/me")).body.is_site_admin;
    await browser.signIn(idp, verified({ groups: ["admins"] }));
    expect(await isAdmin()).toBe(true);
    for (const claims of [
      { _claim_names: { groups: "src1" } },
      { hasgroups: true },
      { groups: [{ name: "admins" }] },
      { groups: 7 },
      { groups: { admins: {} } },
    ]) {
      await browser.signIn(idp, verified(claims));
      expect([claims, await isAdmin()]).toEqual([claims, true]);
    }
    await set({ groups_claim: "realm_access.roles" });
    await browser.signIn(idp, verified({ realm_access: { roles: ["admins"] } }));
    expect(await isAdmin()).toBe(true);
    await browser.signIn(idp, verified({ realm_access: { roles: [] } }));
    expect(await isAdmin()).toBe(false);
  });

  test("changes name and picture here at first, later where it is said so", async () => {
    idp.picture = join(world.settings.DATA_DIR, "picture.png");
    await Bun.write(idp.picture, PNG);
    await set({ allow_signup: true });
    const claims = { picture: `${idp.issuer}/picture.png`, name: "First" };
    const browser = visitor();
    await browser.signIn(idp, verified(claims));
    const me = async () => (await browser.client.get("/api/auth/me")).body;
    await eventually(async () => (await me()).avatar_url !== null);
    await browser.signIn(idp, verified({ ...claims, name: "Second" }));
    expect((await me()).display_name).toBe("First");
    await set({ sync_profile: true });
    await browser.signIn(idp, verified({ ...claims, name: "Second" }));
    expect((await me()).display_name).toBe("Second");
  });

  test.each<[string, boolean, (who: Visitor, id: string) => Promise<unknown>]>([
    ["changes the picture late, too", true, async () => {}],
    [
      "changes no picture that its owner has chosen since",
      false,
      async ({ client }) =>
        expect(
          (await client.call("PUT", "/api/auth/me/avatar", formOf(PNG, "me.png", "image/png")))
            .status,
        ).toBe(200),
    ],
    [
      "changes no picture of one who has disconnected",
      false,
      (_, id) => world.database.sql`delete from identities where user_id = ${id}`,
    ],
    [
      "changes no picture of one who was deactivated",
      false,
      (_, id) => world.database.sql`update users set is_active = false where id = ${id}`,
    ],
  ])("%s", async (_, isChanged, meanwhile) => {
    const file = join(world.settings.DATA_DIR, "late.png");
    await Bun.write(file, await picture("png", 300, 200));
    // Only now: a job of an earlier case may fetch the picture meanwhile.
    idp.picture = file;
    await set({ allow_signup: true });
    const browser = visitor();
    await browser.signIn(idp, verified());
    const { id, avatar_url } = (await browser.client.get("/api/auth/me")).body;
    expect(avatar_url).toBeNull();
    const { db, sql } = world.database;
    // As a sign-in queues it, at a moment at which the provider could not be reached.
    const url = `${idp.issuer}/picture.png`;
    const payload = { userId: id, url, providerId: provider, avatarVersion: null };
    await enqueueJob(db, { kind: "profile_picture", payload, inSeconds: 3_600 });
    await meanwhile(browser, id);
    const versionOf = async () =>
      (await sql`select avatar_version from users where id = ${id}`)[0]?.avatar_version;
    const before = await versionOf();
    await sql`update jobs set run_at = now() - interval '1 second' where kind = 'profile_picture'`;
    await sql`select pg_notify('snug_jobs', '')`;
    await eventually(
      async () => (await sql`select from jobs where kind = 'profile_picture'`).length === 0,
    );
    expect((await versionOf()) !== before).toBe(isChanged);
  });

  test("makes administrators by a group, and never demotes the last, nor an emergency account", async () => {
    await set({
      allow_signup: true,
      sync_profile: false,
      groups_claim: "groups",
      admin_group: "chat-admins",
    });
    const browser = visitor();
    const isAdmin = async () => (await browser.client.get("/api/auth/me")).body.is_site_admin;
    await browser.signIn(idp, verified({ groups: ["all", "chat-admins"] }));
    expect(await isAdmin()).toBe(true);
    const { id } = (await browser.client.get("/api/auth/me")).body;
    await admin.patch(`/api/admin/users/${id}`, { keeps_password: true });
    await browser.signIn(idp, verified({ groups: ["all"] }));
    expect(await isAdmin()).toBe(true);
    await admin.patch(`/api/admin/users/${id}`, { keeps_password: false });
    const { sql } = world.database;
    await sql`update users set is_site_admin = false where username = 'admin'`;
    await browser.signIn(idp, verified({ groups: ["all"] }));
    expect(await isAdmin()).toBe(true);
    await sql`update users set is_site_admin = true where username = 'admin'`;
    await browser.signIn(idp, verified({ groups: [] }));
    expect(await isAdmin()).toBe(false);
    const rows = await sql`select action, details from admin_audit_log where target_id = ${id}
      and action in ('user.promote', 'user.demote') order by id`;
    expect(rows.map(({ action, details }) => [action, details])).toEqual([
      ["user.promote", { by: "claim" }],
      ["user.demote", { by: "claim" }],
    ]);
  });
});

test("sign-ins that begin, and passkeys that are asked for, have a limit of their address", async () => {
  const calls: [string, string][] = [
    ["GET", "/api/auth/oidc/example/start"],
    ["POST", "/api/auth/passkey/options"],
  ];
  for (const [method, path] of calls) {
    expect((await world.anonymous.call(method, path)).status).toBeLessThan(400);
  }
  const { sql } = world.database;
  await sql`update rate_limits set count = 600
    where key like 'oidc-start:%' or key like 'passkey-options:%'`;
  for (const [method, path] of calls) {
    expectProblem(await world.anonymous.call(method, path), 429, "rate_limited");
  }
  await sql`delete from rate_limits`;
});

test("a service without accounts takes nobody in, so that the first one is an administrator's", async () => {
  const empty = await World.start({
    EGRESS_ALLOW: "127.0.0.1",
    OIDC_ISSUER: idp.issuer,
    OIDC_CLIENT_ID: "snug",
    OIDC_CLIENT_SECRET: idp.settings.client_secret,
  });
  await empty.database.sql`update identity_providers set allow_signup = true`;
  const browser = new Visitor(empty, "sso");
  expectPage(await browser.signIn(idp, verified()), 403);
  await empty.person("first", { isSiteAdmin: true });
  expect((await browser.signIn(idp, verified())).status).toBe(302);
  await empty.stop();
});
