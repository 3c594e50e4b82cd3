import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Authenticator } from "../support/authenticator.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { beginLogin, codeOf, finishLogin, turnOnTotp } from "../support/factors.ts";
import { Idp } from "../support/idp.ts";
import { Visitor } from "../support/providers.ts";
import { World } from "../support/world.ts";

/** What happens where two do at once what only one of them may. */

let idp: Idp;
let world: World;
let admin: Client;
let provider: string;
beforeAll(async () => {
  idp = await Idp.start();
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1", TRUST_PROXY: "1" });
  admin = await world.person("admin", { isSiteAdmin: true });
  const params = { slug: "example", ...idp.settings, allow_signup: true };
  provider = `/api/admin/identity-providers/${
    (await admin.post("/api/admin/identity-providers", params)).body.id
  }`;
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
const set = async (switches: object) => (await admin.patch(provider, switches)).status;
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
/** Times that each pair of calls is tried, since which one is first is chance. */
const ROUNDS = 5;

describe("the last two emergency accounts", () => {
  /** Two emergency accounts, and two other administrators. */
  async function cast(round: number) {
    const { sql } = world.database;
    await sql`update identity_providers set is_exclusive = false`;
    await sql`update users set keeps_password = false`;
    const make = (who: string, keepsPassword: boolean) =>
      world.person(`${name}-${round}-${who}`, { isSiteAdmin: true, keepsPassword });
    const [a, b] = await Promise.all([make("a", true), make("b", true)]);
    await Promise.all([turnOnTotp(a), turnOnTotp(b)]);
    const [c, d] = await Promise.all([make("c", false), make("d", false)]);
    expect(await set({ is_exclusive: true })).toBe(200);
    return { a, b, c, d };
  }
  const user = ({ user: { id } }: Client) => `/api/admin/users/${id}`;
  const off = { keeps_password: false };
  type Cast = Awaited<ReturnType<typeof cast>>;
  const PAIRS: [string, (cast: Cast) => Promise<{ status: number }>[]][] = [
    ["demoted", ({ a, b, c, d }) => [c.post(`${user(a)}/demote`), d.post(`${user(b)}/demote`)]],
    [
      "deactivated and reset",
      ({ a, b, c, d }) => [
        c.post(`${user(a)}/deactivate`),
        d.post(`${user(b)}/reset-second-factor`),
      ],
    ],
    [
      "told to drop the password",
      ({ a, b, c, d }) => [c.patch(user(a), off), d.patch(user(b), off)],
    ],
    [
      "without their apps",
      ({ a, b }) => [a.delete("/api/auth/me/totp"), b.delete("/api/auth/me/totp")],
    ],
  ];
  test.each(PAIRS)("are not both %s at once", async (_, calls) => {
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(calls(await cast(round)));
      const refused = answers.filter(({ status }) => status === 409);
      expect([round, refused.length]).toEqual([round, 1]);
      const { body } = await admin.get("/api/admin/settings/sign-in");
      expect(body.emergency_accounts).toBe(1);
    }
    await set({ is_exclusive: false });
  });

  test("a provider does not become exclusive while the last of them ends", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { a, b, c } = await cast(round);
      await set({ is_exclusive: false });
      await c.patch(user(b), off);
      await Promise.all([c.patch(provider, { is_exclusive: true }), a.delete("/api/auth/me/totp")]);
      const [{ emergency_accounts }, { passwords }] = [
        (await admin.get("/api/admin/settings/sign-in")).body,
        (await world.anonymous.get("/api/auth/methods")).body,
      ];
      expect([round, passwords || emergency_accounts === 1]).toEqual([round, true]);
      await set({ is_exclusive: false });
    }
  });
});

test("a policy that begins while someone removes their last factor leaves them the days of grace", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const person = await world.person(`${name}-${round}`);
    await turnOnTotp(person);
    await Promise.all([
      admin.put("/api/admin/settings/sign-in", { second_factor: "everyone" }),
      person.delete("/api/auth/me/totp"),
    ]);
    const { body } = await person.get("/api/auth/me/second-factor");
    expect(body).toMatchObject({ is_required: true, is_restricted: false });
    await admin.put("/api/admin/settings/sign-in", { second_factor: "optional" });
  }
});

test("someone who comes back from a provider twice at once gets one account", async () => {
  const claims = { sub: name, email: `${name}@example.org`, email_verified: true };
  const visitors = Array.from({ length: 6 }, () => new Visitor(world, "example"));
  const paths = await Promise.all(
    visitors.map(async (visitor) => idp.signIn(await visitor.start(), claims)),
  );
  const back = await Promise.all(visitors.map((visitor, i) => visitor.get(paths[i] ?? "")));
  expect(statuses(back)).toEqual(Array(6).fill(302));
  expect(await Promise.all(visitors.map((visitor) => visitor.whoAmI()))).toEqual(
    Array(6).fill(name),
  );
});

test("an identity that two connect at once is one's", async () => {
  const people = await Promise.all(["a", "b", "c"].map((who) => world.person(`${name}-${who}`)));
  const visitors = people.map(({ cookie }) => new Visitor(world, "example", cookie));
  const paths = await Promise.all(
    visitors.map(async (visitor) => idp.signIn(await visitor.start("?connect=1"), { sub: name })),
  );
  const back = await Promise.all(visitors.map((visitor, i) => visitor.get(paths[i] ?? "")));
  expect(statuses(back)).toEqual([302, 409, 409]);
});

test("a recovery code and a passkey's answer count once of twenty times at once", async () => {
  const person = await world.person(name);
  const { codes } = await turnOnTotp(person);
  // Each from a network of its own, as with many thieves.
  const from = (i: number) => ({ "x-forwarded-for": `198.51.${i}.1` });
  const waits = await Promise.all(
    Array.from({ length: 9 }, (_, i) => beginLogin(world, name, from(i))),
  );
  const uses = await Promise.all(
    waits.map(({ cookie }, i) => finishLogin(world, cookie, { recovery_code: codes[3] }, from(i))),
  );
  expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);

  const device = new Authenticator(world.service.address);
  const { body: options } = await person.post("/api/auth/me/passkeys/options");
  await person.post("/api/auth/me/passkeys", { passkey: device.create(options) });
  const { body: challenge } = await world.anonymous.post("/api/auth/passkey/options");
  const passkey = device.get(challenge);
  const signs = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      world.anonymous.call("POST", "/api/auth/passkey", { passkey }, from(i)),
    ),
  );
  expect(signs.filter(({ status }) => status === 200)).toHaveLength(1);
});

describe("guesses", () => {
  test("of codes from many networks, in many sign-ins, share ten in 15 minutes", async () => {
    const person = await world.person(name);
    const { secret } = await turnOnTotp(person);
    const from = (i: number) => ({ "x-forwarded-for": `203.0.${i}.1` });
    // Sign-ins that wait, begun before the guesses: each would have five tries of its own.
    const waits = await Promise.all(
      Array.from({ length: 8 }, (_, i) => beginLogin(world, name, from(i))),
    );
    const guess = (i: number) => {
      const factor = i % 2 === 0 ? { totp: "000000" } : { recovery_code: "aaaa-aaaa-aaaa-aaaa" };
      const wait = i % waits.length;
      return finishLogin(world, waits[wait]?.cookie ?? "", factor, from(wait));
    };
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => guess(i)));
    const judged = answers.filter(({ body }) => body.code === "invalid_code");
    expect(judged).toHaveLength(10);
    const late = await finishLogin(
      world,
      waits[7]?.cookie ?? "",
      { totp: codeOf(secret) },
      from(7),
    );
    expect(["rate_limited", "challenge_expired"]).toContain(late.body.code);
  });

  test("in an open session share ten for codes and passwords, and lock no sign-in", async () => {
    const person = await world.person(name);
    await turnOnTotp(person);
    for (let i = 0; i < 5; i++) await person.post("/api/auth/proof", { totp: "000000" });
    const wrong = { current_password: "wrong", new_password: "a quite new one" };
    for (let i = 0; i < 5; i++) await person.put("/api/auth/me/password", wrong);
    expectProblem(await person.put("/api/auth/me/password", wrong), 429, "rate_limited");
    expectProblem(await person.post("/api/auth/proof", { totp: "000000" }), 429, "rate_limited");
    expect((await beginLogin(world, name)).answer.status).toBe(202);
  });
});
