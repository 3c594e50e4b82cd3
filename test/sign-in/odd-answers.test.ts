import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  spyOn,
  test,
} from "bun:test";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { parseEgressAllow } from "../../src/platform/egress/rules.ts";
import { configureLog } from "../../src/platform/log.ts";
import { loadSecretKey } from "../../src/platform/secrets/secrets.ts";
import { createDiscovery } from "../../src/providers/deps.ts";
import { reportSignIn } from "../../src/providers/report.ts";
import type { Client } from "../support/client.ts";
import { Idp } from "../support/idp.ts";
import { Visitor } from "../support/providers.ts";
import { World } from "../support/world.ts";

/** What providers answer in other forms than most do. */

let idp: Idp;
let world: World;
let admin: Client;
let path: string;
const PATH = "/api/admin/identity-providers";
beforeAll(async () => {
  idp = await Idp.start();
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" }, { providerMs: 1_000 });
  admin = await world.person("admin", { isSiteAdmin: true });
  const params = { slug: "example", ...idp.settings, allow_signup: true };
  path = `${PATH}/${(await admin.post(PATH, params)).body.id}`;
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
afterEach(async () => {
  idp.faults = {};
  // An address may begin a number of sign-ins only.
  await world.database.sql`delete from rate_limits`;
  await admin.patch(path, { groups_claim: null, admin_group: null, trusts_email: false });
});

const person = (more: object = {}) => ({
  sub: name,
  email: `${name}@example.org`,
  email_verified: true,
  ...more,
});
/** Signs someone in. @returns the status and who is signed in then */
async function signIn(claims: { sub: string }) {
  const browser = new Visitor(world, "example");
  const { status } = await browser.signIn(idp, claims);
  return { status, me: (await browser.client.get("/api/auth/me")).body };
}
/** Does something. @returns its result, and what is logged meanwhile */
async function readLog<T>(work: () => Promise<T>): Promise<[T, string]> {
  configureLog({ level: "warn", format: "json" });
  const written = spyOn(process.stderr, "write").mockImplementation(() => true);
  try {
    const result = await work();
    await new Promise((resolve) => setImmediate(resolve));
    return [result, written.mock.calls.join("\n")];
  } finally {
    written.mockRestore();
    configureLog({ level: "error", format: "pretty" });
  }
}
const jwt = (type: string) => async (info: Record<string, unknown>) =>
  new Response(await idp.sign(info), { headers: { "content-type": type } });

describe("signed user info", () => {
  const whole = (): Record<string, unknown> => ({
    aud: "snug",
    email: `${name}@example.org`,
    email_verified: true,
    name: "Signed",
  });

  test.each([
    "application/jwt",
    "Application/JWT; charset=utf-8",
    "text/plain",
    "application/json",
  ])("is checked and used, as %s", async (type) => {
    idp.faults = { userInfo: whole(), answerUserInfo: jwt(type) };
    const { status, me } = await signIn({ sub: name });
    expect([status, me.display_name, me.email]).toEqual([302, "Signed", `${name}@example.org`]);
  });

  test("needs no issuer, audience or time", async () => {
    const { aud: _, ...rest } = whole();
    idp.faults = {
      userInfo: { ...rest, iss: undefined, exp: undefined, iat: undefined },
      answerUserInfo: jwt("application/jwt"),
    };
    expect((await signIn({ sub: name })).status).toBe(302);
  });

  test("may name several audiences", async () => {
    idp.faults = {
      userInfo: { ...whole(), aud: ["another", "snug"] },
      answerUserInfo: jwt("application/jwt"),
    };
    expect((await signIn({ sub: name })).status).toBe(302);
  });

  const now = Math.floor(Date.now() / 1_000);
  test.each<[string, object]>([
    ["another issuer", { iss: "https://evil.example" }],
    ["another audience", { aud: "someone else" }],
    ["other audiences", { aud: ["a", "b"] }],
    ["another sub", { sub: "someone else" }],
    ["no sub", { sub: undefined }],
    ["a time that has passed", { exp: now - 600 }],
  ])("is not used with %s", async (_, change) => {
    idp.faults = { userInfo: { ...whole(), ...change }, answerUserInfo: jwt("application/jwt") };
    expect((await signIn({ sub: name })).status).toBe(400);
  });

  test.each(["none", "foreign", "broken"] as const)(
    "is not used with a signature that is %s",
    async (signature) => {
      idp.faults = {
        userInfo: whole(),
        answerUserInfo: async (info) => {
          // The ID token came with a good signature.
          idp.faults.signature = signature;
          return jwt("application/jwt")(info);
        },
      };
      expect((await signIn({ sub: name })).status).toBe(400);
    },
  );

  test("of one JSON object may have another sub no more than a signed one", async () => {
    idp.faults = { userInfo: { ...whole(), sub: "someone else" } };
    expect((await signIn({ sub: name })).status).toBe(400);
  });
});

describe("user info that cannot be used", () => {
  const failures: [string, () => Response | Promise<Response>][] = [
    ["500", () => new Response("oops", { status: 500 })],
    ["401", () => new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } })],
    ["204", () => new Response(null, { status: 204 })],
    ["a page", () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } })],
    ["a list", () => Response.json([])],
    ["null", () => Response.json(null)],
    ["another sub", () => Response.json({ sub: "someone else", groups: [], name: "Other" })],
    ["an encrypted token", () => new Response("e30.e30.e30.e30.e30")],
  ];
  test.each(failures)("refuses no sign-in and changes no role: %s", async (_, answerUserInfo) => {
    await admin.patch(path, { groups_claim: "groups", admin_group: "admins" });
    await signIn(person({ groups: ["admins"] }));
    idp.faults = { answerUserInfo };
    const { status, me } = await signIn(person());
    expect([status, me.is_site_admin, me.display_name]).toEqual([302, true, null]);
    // Without an address in the ID token, nobody knows who it is.
    expect((await signIn({ sub: `${name}-other` })).status).toBe(400);
  });

  test("that answers without groups takes the role away", async () => {
    await admin.patch(path, { groups_claim: "groups", admin_group: "admins" });
    await signIn(person({ groups: ["admins"] }));
    const { me } = await signIn(person());
    expect(me.is_site_admin).toBe(false);
  });
});

describe("parts that are not used refuse no sign-in:", () => {
  test.each<[string, Record<string, unknown>]>([
    ["no refresh token", { refresh_token: null }],
    ["no scope", { scope: null }],
    ["a list of scopes", { scope: ["openid", "email"] }],
    ["an empty lifetime", { expires_in: null }],
    ["a lifetime as text", { expires_in: "never" }],
    ["a type in capitals", { token_type: "BEARER" }],
    ["no type", { token_type: undefined }],
    ["no access token", { access_token: undefined }],
    ["an access token of null", { access_token: null }],
    ["others", { session_state: {}, "not-before-policy": 0, id_token_expires_in: "x" }],
  ])("%s beside the tokens", async (_, tokenParts) => {
    idp.faults = { tokenParts };
    expect((await signIn(person())).status).toBe(302);
  });

  const CLAIMS = [
    "auth_time",
    "picture",
    "name",
    "given_name",
    "preferred_username",
    "updated_at",
    "birthdate",
    "zoneinfo",
    "locale",
    "address",
    "phone_number_verified",
    "acr",
    "amr",
    "at_hash",
    "azp",
    "sid",
    "jti",
    "roles",
    "groups",
    "_claim_sources",
  ];
  const WEIRD = [null, "", "x", 7, -1.5, true, false, [], ["x"], {}, { a: { b: 1 } }];
  const values = WEIRD.map((value) => [JSON.stringify(value), value] as const);

  /** Signs in with claims in the ID token, then in the user info. @returns both statuses */
  async function signInTwice(claims: object): Promise<number[]> {
    const { status } = await signIn(person(claims));
    idp.faults = { userInfo: { email: `${name}@example.org`, email_verified: true, ...claims } };
    const second = await signIn({ sub: name });
    idp.faults = {};
    return [status, second.status];
  }

  test.each(values)("claims that are %s", async (_, value) => {
    await admin.patch(path, { groups_claim: "groups", admin_group: "admins" });
    const statuses = await signInTwice(Object.fromEntries(CLAIMS.map((claim) => [claim, value])));
    if (Bun.deepEquals(statuses, [302, 302])) return;
    // Says which of them it was.
    for (const claim of CLAIMS) {
      expect([claim, ...(await signInTwice({ [claim]: value }))]).toEqual([claim, 302, 302]);
    }
    expect(statuses).toEqual([302, 302]);
  });

  test("some of the document that describes the provider", async () => {
    const { id } = (
      await admin.post(PATH, { slug: `other-${count}`, ...idp.settings, allow_signup: true })
    ).body;
    for (const metadata of [
      { code_challenge_methods_supported: null },
      { token_endpoint_auth_methods_supported: "client_secret_post" },
      { authorization_response_iss_parameter_supported: "false" },
      { id_token_signing_alg_values_supported: ["none"] },
      { userinfo_signing_alg_values_supported: {} },
      { scopes_supported: "openid" },
      { end_session_endpoint: null, userinfo_endpoint: null, backchannel_logout_supported: "yes" },
    ]) {
      idp.faults = { metadata };
      // The test loads the document again.
      await admin.post(`${path}/test`);
      expect([metadata, (await signIn(person())).status]).toEqual([metadata, 302]);
    }
    idp.faults = {};
    await admin.post(`${path}/test`);
    await admin.delete(`${PATH}/${id}`);
  });
});

describe("whether an address is verified", () => {
  test.each<[unknown, number]>([
    ["true", 302],
    ["True", 302],
    [true, 302],
    ["false", 403],
    [false, 403],
    ["", 403],
    [1, 403],
    [{}, 403],
  ])("is said by %p", async (email_verified, status) => {
    await admin.patch(path, { trusts_email: true });
    expect((await signIn(person({ email_verified }))).status).toBe(status);
  });

  test("is read beside the address that is taken", async () => {
    const other = { email: "else@example.org", email_verified: true };
    idp.faults = { userInfo: other };
    expect((await signIn(person({ email: ["x"], email_verified: false }))).me.email).toBe(
      other.email,
    );
  });
});

describe("an issuer that is not the one that the provider names", () => {
  /** A provider that calls itself something else. @returns its path and what its test says */
  async function makeProvider(named: unknown) {
    idp.faults = { metadata: { issuer: named } };
    const params = { slug: `other-${count}`, ...idp.settings, issuer: `${idp.issuer}/o/snug` };
    const { id } = (await admin.post(PATH, params)).body;
    const { checks } = (await admin.post(`${PATH}/${id}/test`)).body;
    return { own: `${PATH}/${id}`, slug: params.slug, check: checks[0] };
  }

  test.each(["/o/snug/", "/o/Snug", "/realms/snug", "/"])(
    "is said by the test, to copy: %s",
    async (end) => {
      const named = idp.issuer + end;
      const { own, check } = await makeProvider(named);
      expect(check).toMatchObject({ check: "discovery", ok: false, issuer: named });
      expect(check.detail).toStartWith(`It calls itself ${named}, but ${idp.issuer}/o/snug is set`);
      await admin.patch(own, { issuer: check.issuer, client_secret: idp.settings.client_secret });
      expect((await admin.post(`${own}/test`)).body.checks[0]).toMatchObject({ ok: true });
      await admin.delete(own);
    },
  );

  test.each(["http://idp.example.org/o/snug", "snug", "", null, 7, undefined])(
    "is nothing to copy where it cannot be set: %p",
    async (named) => {
      const { own, slug, check } = await makeProvider(named);
      expect(check.ok).toBe(false);
      expect(check.issuer).toBeUndefined();
      const { status } = await world.anonymous.get(`/api/auth/oidc/${slug}/start`);
      expect(status).toBe(502);
      await admin.delete(own);
    },
  );

  test("is in the log when someone signs in, and in the doctor", async () => {
    const { own, slug } = await makeProvider(`${idp.issuer}/o/snug/`);
    const [{ status }, log] = await readLog(() =>
      world.anonymous.get(`/api/auth/oidc/${slug}/start`),
    );
    expect([status, log]).toEqual([502, expect.stringContaining(`${idp.issuer}/o/snug/, but`)]);
    const { problems } = await reportSignIn(world.database.db, {
      egress: createEgress({ allow: parseEgressAllow("127.0.0.1") }),
      discovery: createDiscovery(),
      readKey: () => loadSecretKey(world.settings.DATA_DIR, null),
      baseUrl: "http://localhost",
    });
    expect(problems).toContainEqual(expect.stringContaining(`${idp.issuer}/o/snug/, but`));
    await admin.delete(own);
  });

  test("in an ID token alone is in the log", async () => {
    idp.faults = { claims: { iss: `${idp.issuer}/` } };
    const [{ status }, log] = await readLog(() => signIn(person()));
    expect([status, log]).toEqual([
      400,
      expect.stringContaining(`from the issuer ${idp.issuer}/, not ${idp.issuer}`),
    ]);
  });
});

describe("groups", () => {
  /** Signs in an administrator, before the claim is the one that is tried. */
  const asAdmin = async (claim: string) => {
    await admin.patch(path, { groups_claim: "groups", admin_group: "admins" });
    const { me } = await signIn(person({ groups: ["admins"] }));
    expect(me.is_site_admin).toBe(true);
    await admin.patch(path, { groups_claim: claim });
  };

  test.each<[string, object]>([
    ["groups", { groups: '["admins"]' }],
    ["groups", { groups: " [users, others]" }],
    ["groups", { groups: ["users", null] }],
    ["groups", { groups: [["admins"]] }],
    ["groups", { groups: true }],
    ["groups", { _claim_names: { groups: "src1" }, _claim_sources: {} }],
    ["groups", { hasgroups: "true" }],
    ["roles.all", { roles: { all: 7 } }],
  ])("that are not understood change no role: %s in %j", async (claim, claims) => {
    await asAdmin(claim);
    expect((await signIn(person(claims))).me.is_site_admin).toBe(true);
    // In the user info no more than in the ID token.
    idp.faults = { userInfo: claims as Record<string, unknown> };
    expect((await signIn(person())).me.is_site_admin).toBe(true);
  });

  test.each<[string, object]>([
    ["urn:zitadel:iam:org:project:roles", { "urn:zitadel:iam:org:project:roles": { admins: {} } }],
    ["realm_access.roles", { realm_access: { roles: ["users", "admins"] } }],
    [
      "resource_access.chat.example.org.roles",
      { resource_access: { "chat.example.org": { roles: ["admins"] } } },
    ],
    ["https://example.org/groups", { "https://example.org/groups": ["admins"] }],
    ["cognito:groups", { "cognito:groups": ["admins"] }],
    ["groups", { groups: "admins" }],
    ["a.b", { a: {}, "a.b": ["admins"] }],
  ])("make an administrator: %s in %j", async (claim, claims) => {
    await admin.patch(path, { groups_claim: claim, admin_group: "admins" });
    expect((await signIn(person(claims))).me.is_site_admin).toBe(true);
    idp.faults = { userInfo: {} };
    expect((await signIn(person())).me.is_site_admin).toBe(false);
    idp.faults = { userInfo: claims as Record<string, unknown> };
    expect((await signIn(person())).me.is_site_admin).toBe(true);
  });

  test.each<[string, object]>([
    ["groups", { groups: [] }],
    ["groups", { groups: null }],
    ["groups", { groups: {} }],
    ["groups", { groups: { users: {} } }],
    ["groups", { groups: "users" }],
    ["groups", { hasgroups: false }],
    ["constructor.name", {}],
    ["realm_access.roles", { realm_access: [] }],
  ])("of which none is theirs make nobody one: %s in %j", async (claim, claims) => {
    await asAdmin(claim);
    expect((await signIn(person(claims))).me.is_site_admin).toBe(false);
  });
});

describe("an ID token", () => {
  afterAll(() => idp.rotateKeys());

  test.each(["ES256", "ES384", "ES512", "PS256", "PS512", "RS512", "EdDSA", "Ed25519"])(
    "may be signed by %s",
    async (alg) => {
      await idp.rotateKeys(alg);
      expect((await signIn(person())).status).toBe(302);
    },
  );

  type Key = Record<string, unknown>;
  const json = (value: unknown, type = "application/json") =>
    new Response(JSON.stringify(value), { headers: { "content-type": type } });
  const other = { kty: "RSA", n: "AQAB", e: "AQAB", kid: "other", use: "enc" };
  test.each<[string, number, (key: Key) => Response]>([
    ["without the id that it names", 400, ({ kid: _, ...key }) => json({ keys: [key] })],
    ["without use", 302, ({ use: _, ...key }) => json({ keys: [key] })],
    ["without alg", 302, ({ alg: _, ...key }) => json({ keys: [key] })],
    ["with fields of their own", 302, (key) => json({ keys: [{ ...key, x5c: [], "x-y": null }] })],
    ["beside one for encryption", 302, (key) => json({ keys: [other, key] })],
    ["beside one of an unknown kind", 302, (key) => json({ keys: [{ kty: "X" }, key] })],
    ["beside a symmetric one", 302, (key) => json({ keys: [{ kty: "oct", k: "AQAB" }, key] })],
    [
      "as application/jwk-set+json",
      302,
      (key) => json({ keys: [key] }, "application/jwk-set+json"),
    ],
    ["as text/plain", 302, (key) => json({ keys: [key] }, "text/plain")],
    ["of another id", 400, (key) => json({ keys: [{ ...key, kid: "another" }] })],
    ["for encryption alone", 400, (key) => json({ keys: [{ ...key, use: "enc" }] })],
    ["of another algorithm", 400, (key) => json({ keys: [{ ...key, alg: "RS512" }] })],
    ["none at all", 400, () => json({ keys: [] })],
    ["no set", 400, (key) => json(key)],
    ["a page", 400, () => new Response("<!doctype html>")],
    ["an error", 400, () => new Response("oops", { status: 503 })],
  ])("is checked with keys %s: %d", async (_, status, answerKeys) => {
    await idp.rotateKeys();
    idp.faults = { answerKeys };
    expect((await signIn(person())).status).toBe(status);
  });

  test("may name no key where there is one", async () => {
    const answerKeys = ({ kid: _, ...key }: Key) => json({ keys: [other, key] });
    idp.faults = { header: { kid: undefined }, answerKeys };
    expect((await signIn(person())).status).toBe(302);
    idp.faults.answerKeys = (key) => json({ keys: [key, { ...key, kid: "another" }] });
    expect((await signIn(person())).status).toBe(400);
  });

  test.each<[string, number, object]>([
    ["without kid", 302, { header: { kid: undefined } }],
    ["of any type", 302, { header: { typ: "at+jwt" } }],
    ["for two, of whom we are meant", 302, { claims: { aud: ["snug", "api"], azp: "snug" } }],
    ["for two, of whom the other is meant", 400, { claims: { aud: ["snug", "api"], azp: "api" } }],
    ["for two, and nobody is meant", 400, { claims: { aud: ["snug", "api"] } }],
    ["for us in a list", 302, { claims: { aud: ["snug"] } }],
    ["of the future", 400, { claims: { nbf: Math.floor(Date.now() / 1_000) + 600 } }],
    ["without an end", 400, { claims: { exp: undefined } }],
    ["without a beginning", 400, { claims: { iat: undefined } }],
  ])("%s is answered %d", async (_, status, faults) => {
    idp.faults = faults;
    expect((await signIn(person())).status).toBe(status);
  });
});
