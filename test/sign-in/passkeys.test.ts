import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { arePasskeysPossible } from "../../src/sign-in/passkeys.ts";
import { Authenticator } from "../support/authenticator.ts";
import { Client, expectProblem } from "../support/client.ts";
import { beginLogin, finishLogin, expireReauthentication, turnOnTotp } from "../support/factors.ts";
import { World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
let count = 0;
let name: string;
beforeEach(() => {
  name = `person-${++count}`;
});

const OPTIONS = "/api/auth/me/passkeys/options";
/** Adds a passkey; it is on, if it is the first, once a code was typed back. */
async function addPasskey(client: Client, isKept = true) {
  const device = new Authenticator(world.service.address);
  const { body: options } = await client.post(OPTIONS);
  const sent = { name: "My phone", passkey: device.create(options) };
  const response = await client.post("/api/auth/me/passkeys", sent);
  expect([response.status, response.body]).toEqual([201, response.body]);
  const codes: string[] | null = response.body.recovery_codes;
  if (codes && isKept) {
    await client.post("/api/auth/me/recovery-codes/saved", { recovery_code: codes[0] });
  }
  return { device, id: response.body.id as string, codes };
}
const ask = (cookie?: string) =>
  world.anonymous.call("POST", "/api/auth/passkey/options", undefined, cookie ? { cookie } : {});
const signIn = (passkey: object) => world.anonymous.post("/api/auth/passkey", { passkey });
const clientOf = (answer: { headers: Headers }) =>
  new Client(world.service.address, answer.headers.getSetCookie()[0]?.split(";")[0] ?? null);

test.each([
  ["https://chat.example.org", true],
  ["http://localhost:3000", true],
  ["http://chat.example.org", false],
  ["https://192.0.2.7", false],
  ["https://[2001:db8::7]:8443", false],
  ["http://127.0.0.1:3000", false],
])("the sign-in at %s offers passkeys: %p", (baseUrl, isPossible) => {
  expect(arePasskeysPossible(baseUrl)).toBe(isPossible);
});

describe("a passkey", () => {
  test("signs in alone, once its account's codes are saved", async () => {
    const person = await world.person(name);
    const { device, codes } = await addPasskey(person, false);
    expect(codes).toHaveLength(10);
    const early = await ask();
    expectProblem(await signIn(device.get(early.body)), 401, "invalid_passkey");
    await person.post("/api/auth/me/recovery-codes/saved", { recovery_code: codes?.[0] });
    const options = await ask();
    expect(options.body).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect(options.body).not.toHaveProperty("allowCredentials");
    const done = await signIn(device.get(options.body));
    expect(done).toMatchObject({ status: 200, body: { username: name } });
    const { items } = (await clientOf(done).get("/api/auth/me/sessions")).body;
    expect(items[0]).toMatchObject({ method: "passkey", provider: null });
    expect((await world.anonymous.get("/api/auth/methods")).body.passkeys).toBe(true);
  });

  test("is refused in the same words, whatever is wrong", async () => {
    const person = await world.person(name);
    const { device } = await addPasskey(person);
    const fresh = async () => (await ask()).body;
    const used = await fresh();
    expect((await signIn(device.get(used))).status).toBe(200);
    const expired = await fresh();
    const { sql } = world.database;
    await sql`update login_challenges set expires_at = clock_timestamp() - interval '1 second'`;
    const good = device.get(await fresh());
    const changed = { ...good, response: { ...good.response, signature: "AAAA" } };
    const refusals = [
      await signIn(device.get(used)),
      await signIn(device.get(expired)),
      await signIn(changed),
      await signIn(device.get({ ...(await fresh()), challenge: "bm90IG91cnM" })),
      await signIn(device.get(await fresh(), { origin: "https://evil.example" })),
      await signIn(device.get(await fresh(), { rpId: "evil.example" })),
      await signIn(device.get(await fresh(), { isUnverified: true })),
      await signIn(device.get(await fresh(), { userHandle: "c29tZW9uZSBlbHNl" })),
      await signIn(new Authenticator(world.service.address).get(await fresh(), { userHandle: "" })),
    ];
    await sql`update users set is_active = false where id = ${person.user.id}`;
    refusals.push(await signIn(device.get(await fresh())));
    const bodies = new Set(refusals.map(({ body }) => JSON.stringify(body)));
    expect([...bodies]).toHaveLength(1);
    for (const refused of refusals) expectProblem(refused, 401, "invalid_passkey");
  });

  test("that counts backwards is noted, and still signs in", async () => {
    const person = await world.person(name);
    const { device } = await addPasskey(person);
    for (const signCount of [5, 6]) {
      expect((await signIn(device.get((await ask()).body, { signCount }))).status).toBe(200);
    }
    const list = async () => (await person.get("/api/auth/me/passkeys")).body.items[0];
    expect((await list()).went_back_at).toBeNull();
    expect((await signIn(device.get((await ask()).body, { signCount: 3 }))).status).toBe(200);
    expect((await list()).went_back_at).toMatch(/Z$/);
    expect((await list()).last_used_at).toMatch(/Z$/);
  });

  test("finishes a sign-in with a password, also without verifying its user", async () => {
    const person = await world.person(name);
    const { device } = await addPasskey(person);
    const stranger = await world.person(`${name}-other`);
    const foreign = await addPasskey(stranger);
    const { answer, cookie } = await beginLogin(world, name);
    expect(answer.body).toEqual({ factors: ["passkey", "recovery_code"] });
    const options = (await ask(cookie)).body;
    expect(options.allowCredentials).toEqual([
      { id: device.id.toString("base64url"), type: "public-key", transports: ["internal"] },
    ]);
    const theirs = { passkey: foreign.device.get((await ask()).body) };
    expectProblem(await finishLogin(world, cookie, theirs), 401, "invalid_passkey");
    const passkey = device.get((await ask(cookie)).body, { isUnverified: true });
    expect((await finishLogin(world, cookie, { passkey })).status).toBe(200);
  });

  test("proves who its user is", async () => {
    const person = await world.person(name);
    const { device } = await addPasskey(person);
    await expireReauthentication(world, person);
    expectProblem(await person.post(OPTIONS), 403, "proof_needed");
    const { body: options } = await person.post("/api/auth/passkey/options");
    expect(options.allowCredentials).toHaveLength(1);
    const proof = { passkey: device.get(options) };
    expect((await person.post("/api/auth/proof", proof)).status).toBe(204);
    expect((await person.post(OPTIONS)).status).toBe(200);
  });

  test("is not taken from another account's options, another site, or twice", async () => {
    const [person, other] = [await world.person(name), await world.person(`${name}-other`)];
    const device = new Authenticator(world.service.address);
    const add = (client: Client, passkey: object) =>
      client.post("/api/auth/me/passkeys", { passkey });
    const options = async (client: Client) => (await client.post(OPTIONS)).body;
    const theirs = device.create(await options(other));
    expectProblem(await add(person, theirs), 401, "invalid_passkey");
    const elsewhere = { origin: "https://evil.example" };
    const foreign = device.create(await options(person), elsewhere);
    expectProblem(await add(person, foreign), 401, "invalid_passkey");
    const good = device.create(await options(person));
    expect((await add(person, good)).status).toBe(201);
    expectProblem(await add(person, good), 401, "invalid_passkey");
    const again = device.create(await options(other));
    expectProblem(await add(other, again), 409, "passkey_known");
  });

  test("has a name, and of several the last is the second factor", async () => {
    const person = await world.person(name);
    const first = await addPasskey(person);
    const second = await addPasskey(person);
    expect(second.codes).toBeNull();
    const path = `/api/auth/me/passkeys/${first.id}`;
    expect((await person.patch(path, { name: " Key ring " })).body.name).toBe("Key ring");
    expectProblem(await person.patch(path, { name: " " }), 422, "validation");
    const stranger = await world.person(`${name}-other`);
    expectProblem(await stranger.patch(path, { name: "x" }), 404, "not_found");
    expectProblem(await stranger.delete(path), 404, "not_found");
    const other = await world.signIn(person.user);
    expect((await person.delete(path)).status).toBe(204);
    expectProblem(await other.get("/api/auth/me"), 401, "unauthenticated");
    expectProblem(await signIn(first.device.get((await ask()).body)), 401, "invalid_passkey");
    const isOn = async () => (await person.get("/api/auth/me/second-factor")).body.is_on;
    expect(await isOn()).toBe(true);
    expect((await person.delete(`/api/auth/me/passkeys/${second.id}`)).status).toBe(204);
    expect(await isOn()).toBe(false);
  });

  test("of another host is listed as such", async () => {
    const person = await world.person(name);
    await turnOnTotp(person);
    const { id } = await addPasskey(person);
    const { sql } = world.database;
    await sql`update passkeys set rp_id = 'old.example.org' where id = ${id}`;
    const { items } = (await person.get("/api/auth/me/passkeys")).body;
    expect(items[0].is_usable).toBe(false);
    const { cookie, answer } = await beginLogin(world, name);
    expect(answer.body.factors).not.toContain("passkey");
    expect((await ask(cookie)).body.allowCredentials).toEqual([]);
  });
});

test("a passkey's answer must come from BASE_URL, whatever host the request names", async () => {
  const origin = "http://localhost:4201";
  const other = await World.start({ BASE_URL: origin });
  try {
    const person = await other.person("site");
    const add = async (device: Authenticator) => {
      const { body } = await person.post(OPTIONS);
      return person.post("/api/auth/me/passkeys", { passkey: device.create(body) });
    };
    const elsewhere = await add(new Authenticator(other.service.address));
    expectProblem(elsewhere, 401, "invalid_passkey");
    expect((await add(new Authenticator(origin))).status).toBe(201);
  } finally {
    await other.stop();
  }
});
