import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { deactivateUser, resetSecondFactor } from "../../src/accounts/administer.ts";
import { findTotpStep } from "../../src/sign-in/totp.ts";
import { Client, expectProblem } from "../support/client.ts";
import {
  beginLogin,
  codeOf,
  confirmTotp,
  finishLogin,
  expireReauthentication,
  turnOnTotp,
} from "../support/factors.ts";
import { MailServer } from "../support/smtp.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
let mails: MailServer;
let admin: Client;
beforeAll(async () => {
  mails = await MailServer.open("plain");
  world = await World.start({ TRUST_PROXY: "1" });
  admin = await world.person("admin", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", mails.settings);
});
afterAll(async () => {
  await world.stop();
  await mails.close();
});

let count = 0;
let name: string;
let from: Record<string, string>;
beforeEach(() => {
  name = `person-${++count}`;
  from = { "x-forwarded-for": `203.0.113.${count}` };
});
const login = () => beginLogin(world, name, from);
const finish = (cookie: string, factor: object) => finishLogin(world, cookie, factor, from);
const state = async (client: Client) => (await client.get("/api/auth/me/second-factor")).body;
const sessionOf = (answer: { headers: Headers }) => {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  return new Client(
    world.service.address,
    cookies.find((cookie) => cookie.startsWith("snug_session=")) ?? null,
  );
};

describe("codes of RFC 6238", () => {
  // The last six digits of appendix B's codes for SHA-1.
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at %d s", async (seconds, code) => {
    const step = Math.floor(seconds / 30);
    const at = (moved: number) => findTotpStep(secret, code, (seconds + moved) * 1_000);
    expect(await Promise.all([at(0), at(30), at(-30)])).toEqual([step, step, step]);
    expect(await Promise.all([at(60), at(-60)])).toEqual([null, null]);
  });
});

describe("turning it on", () => {
  test("shows ten codes, and waits for one of them", async () => {
    const person = await world.person(name);
    const other = await world.signIn(person.user);
    const { body } = await person.post("/api/auth/me/totp");
    expect(body.uri).toStartWith("otpauth://totp/");
    expect(body.uri).toContain(`secret=${body.secret}`);
    const wrong = await person.post("/api/auth/me/totp/confirm", { code: "000000" });
    expectProblem(wrong, 401, "invalid_code");
    const used = codeOf(body.secret);
    const done = await person.post("/api/auth/me/totp/confirm", { code: used });
    const codes: string[] = done.body.recovery_codes;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes)
      expect(code).toMatch(/^([02-9a-hjkmnp-z]{4}-){3}[02-9a-hjkmnp-z]{4}$/);
    expect(await state(person)).toMatchObject({ is_on: false, is_pending: true, totp: true });
    expect((await login()).answer.status).toBe(200);

    const unsaved = await person.post("/api/auth/me/recovery-codes/saved", {
      recovery_code: "aaaa-aaaa-aaaa-aaaa",
    });
    expectProblem(unsaved, 401, "invalid_code");
    const socket = await other.socket();
    const recovery_code = codes[3]?.toUpperCase().replaceAll("-", " ").replaceAll("0", "O");
    const saved = await person.post("/api/auth/me/recovery-codes/saved", { recovery_code });
    expect(saved.status).toBe(204);
    expect(await state(person)).toMatchObject({
      is_on: true,
      is_pending: false,
      recovery_codes_left: 10,
    });
    // Sessions that began without it end.
    expect((await socket.closing()).code).toBe(4401);
    expectProblem(await other.get("/api/auth/me"), 401, "unauthenticated");
    expect((await mails.next()).mail.subject).toStartWith("Your second factor is on");
    // The code that confirmed it is used up.
    const { cookie } = await login();
    expectProblem(await finish(cookie, { totp: used }), 401, "code_used");
  });

  test("stores neither the secret nor the codes", async () => {
    const { secret, codes } = await turnOnTotp(await world.person(name));
    await mails.next();
    const [row] = await world.database.sql<{ text: string }[]>`
      select (select string_agg(t::text, '') from totp t)
        || (select string_agg(r::text, '') from recovery_codes r) as text`;
    const isStored = (one: string) =>
      row?.text.includes(one) || row?.text.includes(Buffer.from(one).toString("hex"));
    expect(
      [secret, ...codes, ...codes.map((code) => code.replaceAll("-", ""))].filter(isStored),
    ).toEqual([]);
  });
});

describe("signing in", () => {
  test("waits after the password, and goes on with a code", async () => {
    const { secret } = await turnOnTotp(await world.person(name));
    await mails.next();
    const { answer, cookie } = await login();
    expect(answer).toMatchObject({
      status: 202,
      body: { factors: ["totp", "recovery_code"] },
    });
    expect(answer.headers.getSetCookie().join()).not.toContain("snug_session=");
    expect(answer.headers.getSetCookie()[0]).toMatch(/HttpOnly/i);
    const sent = { ...from, cookie };
    const again = await world.anonymous.call("GET", "/api/auth/login/second", undefined, sent);
    expect(again.body).toEqual({ factors: ["totp", "recovery_code"] });
    expectProblem(await finish(cookie, { totp: "000000" }), 401, "invalid_code");
    expectProblem(await finish(cookie, {}), 422, "validation");
    const done = await finish(cookie, { totp: codeOf(secret) });
    expect(done).toMatchObject({ status: 200, body: { username: name } });
    expect((await sessionOf(done).get("/api/auth/me")).status).toBe(200);
    expectProblem(await finish(cookie, { totp: codeOf(secret, 1) }), 401, "challenge_expired");
  });

  test("is refused from another network, after five wrong codes, and after five minutes", async () => {
    const { secret } = await turnOnTotp(await world.person(name));
    await mails.next();
    const first = await login();
    const away = { "x-forwarded-for": "198.51.100.7" };
    const elsewhere = await finishLogin(world, first.cookie, { totp: codeOf(secret) }, away);
    expectProblem(elsewhere, 401, "challenge_expired");
    for (let i = 0; i < 5; i++) await finish(first.cookie, { totp: "000000" });
    const sixth = await finish(first.cookie, { totp: codeOf(secret) });
    expectProblem(sixth, 401, "challenge_expired");
    const second = await login();
    await world.database
      .sql`update login_challenges set expires_at = clock_timestamp() - interval '1 second'`;
    const late = await finish(second.cookie, { totp: codeOf(secret) });
    expectProblem(late, 401, "challenge_expired");
  });

  test("counts wrong codes with wrong passwords: ten in 15 minutes", async () => {
    const { secret } = await turnOnTotp(await world.person(name));
    await mails.next();
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++) {
      const { cookie } = await login();
      statuses.push((await finish(cookie, { totp: "000000" })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect((await login()).answer.status).toBe(429);
    await world.database
      .sql`update rate_limits set expires_at = clock_timestamp() - interval '1 second'`;
    const { cookie } = await login();
    expect((await finish(cookie, { totp: codeOf(secret) })).status).toBe(200);
  });

  test("with one code succeeds once of a hundred times at once", async () => {
    const person = await world.person(name);
    const { secret } = await turnOnTotp(person);
    await mails.next();
    // In several sign-ins, so that the limit of tries does not end them all.
    const cookies: string[] = [];
    for (let i = 0; i < 4; i++) cookies.push((await login()).cookie);
    const totp = codeOf(secret);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => finish(cookies[i % 4] ?? "", { totp })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const rest = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    const expected = ["challenge_expired", "code_used", "rate_limited"];
    expect(rest.filter((code) => !expected.includes(code))).toEqual([]);
    const [row] = await world.database.sql<{ count: number }[]>`
      select count(*)::int from sessions where user_id = ${person.user.id}`;
    expect(row?.count).toBe(2);
  });

  test("takes a recovery code once, and mails how many are left", async () => {
    const { codes } = await turnOnTotp(await world.person(name));
    await mails.next();
    const first = await login();
    expect((await finish(first.cookie, { recovery_code: codes[1] })).status).toBe(200);
    expect((await mails.next()).mail.text).toContain("left: 9");
    const second = await login();
    expectProblem(await finish(second.cookie, { recovery_code: codes[1] }), 401, "code_used");
    const done = await finish(second.cookie, { recovery_code: codes[2] });
    expect((await state(sessionOf(done))).recovery_codes_left).toBe(8);
    await mails.next();
  });

  test("answers a wrong password, and an unknown name, as without a factor", async () => {
    await turnOnTotp(await world.person(name));
    await mails.next();
    const plain = await world.person(`${name}-plain`);
    const answers = await Promise.all(
      [name, plain.user.username, "nobody"].map((username) =>
        world.anonymous.call("POST", "/api/auth/login", { username, password: "wrong" }, from),
      ),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const names = answers.map(({ headers }) => [...headers.keys()].join());
    expect(new Set(names).size).toBe(1);
  });

  test.each([
    ["a new password", (id: string) => admin.post(`/api/admin/users/${id}/reset-password`)],
    ["a deactivation", () => world.administer(name, deactivateUser)],
    ["a reset of the factor", () => world.administer(name, resetSecondFactor)],
  ])("ends with %s", async (_, end) => {
    const person = await world.person(name);
    const { secret } = await turnOnTotp(person);
    const { cookie } = await login();
    await end(person.user.id);
    expectProblem(await finish(cookie, { totp: codeOf(secret) }), 401, "challenge_expired");
    mails.received.length = 0;
  });
});

describe("changes", () => {
  test("need a proof of the last ten minutes, which a factor gives and a password does not", async () => {
    const person = await world.person(name);
    const { secret, codes } = await turnOnTotp(person);
    await expireReauthentication(world, person);
    const calls = () =>
      Promise.all([
        person.post("/api/auth/me/totp"),
        person.delete("/api/auth/me/totp"),
        person.post("/api/auth/me/recovery-codes"),
        person.post("/api/auth/me/passkeys/options"),
        person.put("/api/auth/me/password", { new_password: "a quite new one" }),
      ]);
    for (const answer of await calls()) {
      expectProblem(answer, 403, "proof_needed");
      expect(answer.body.ways).toEqual(["totp", "recovery_code"]);
    }
    for (const password of [PASSWORD, "not it"]) {
      const response = await person.post("/api/auth/proof", { password });
      expectProblem(response, 403, "proof_needed");
      expect(response.body.ways).toEqual(["totp", "recovery_code"]);
    }
    const change = { current_password: PASSWORD, new_password: "a quite new one" };
    expectProblem(await person.put("/api/auth/me/password", change), 403, "proof_needed");
    expectProblem(await person.delete("/api/auth/me/totp"), 403, "proof_needed");
    for (const proof of [{ totp: codeOf(secret) }, { recovery_code: codes[5] }]) {
      await expireReauthentication(world, person);
      expectProblem(await person.post("/api/auth/me/totp"), 403, "proof_needed");
      expect((await person.post("/api/auth/proof", proof)).status).toBe(204);
      expect((await person.post("/api/auth/me/totp")).status).toBe(200);
    }
  });

  test("limit wrong proofs in their session, and no sign-in", async () => {
    const person = await world.person(name);
    for (let i = 0; i < 10; i++) await person.post("/api/auth/proof", { password: "wrong" });
    const response = await person.post("/api/auth/proof", { password: PASSWORD });
    expectProblem(response, 429, "rate_limited");
    expect((await login()).answer.status).toBe(200);
    const other = await world.signIn(person.user);
    expect((await other.post("/api/auth/proof", { password: PASSWORD })).status).toBe(204);
  });

  test("of the app keep the old one until the new one is confirmed", async () => {
    const person = await world.person(name);
    const { secret } = await turnOnTotp(person);
    const next = (await person.post("/api/auth/me/totp")).body.secret;
    const { cookie } = await login();
    expectProblem(await finish(cookie, { totp: codeOf(next) }), 401, "invalid_code");
    const other = sessionOf(await finish(cookie, { totp: codeOf(secret) }));
    const done = await confirmTotp(person, next);
    expect(done.body).toEqual({ recovery_codes: null });
    expectProblem(await other.get("/api/auth/me"), 401, "unauthenticated");
    const after = await login();
    expectProblem(await finish(after.cookie, { totp: codeOf(secret, 1) }), 401, "invalid_code");
    expect((await finish(after.cookie, { totp: codeOf(next) })).status).toBe(200);
  });

  test("to no factor at all end the other sessions, and the codes", async () => {
    const person = await world.person(name);
    const earlier = await (await world.signIn(person.user)).socket();
    await turnOnTotp(person);
    // What ends that session would end the socket of the next, too, if it came after it was opened.
    expect((await earlier.closing()).code).toBe(4401);
    const other = await world.signIn(person.user);
    const socket = await other.socket();
    expect((await person.delete("/api/auth/me/totp")).status).toBe(204);
    expect((await socket.closing()).code).toBe(4401);
    expect(await state(person)).toMatchObject({
      is_on: false,
      totp: false,
      recovery_codes_left: 0,
    });
    expect((await login()).answer.status).toBe(200);
  });

  test("of the codes void the old ones", async () => {
    const { codes, person } = await (async () => {
      const client = await world.person(name);
      return { person: client, ...(await turnOnTotp(client)) };
    })();
    const fresh = (await person.post("/api/auth/me/recovery-codes")).body.recovery_codes;
    expect(fresh).toHaveLength(10);
    const { cookie } = await login();
    expectProblem(await finish(cookie, { recovery_code: codes[4] }), 401, "invalid_code");
    expect((await finish(cookie, { recovery_code: fresh[4] })).status).toBe(200);
  });
});

describe("losing it", () => {
  test("an administrator resets it, which ends the sessions and is mailed", async () => {
    const person = await world.person(name);
    await turnOnTotp(person);
    const socket = await person.socket();
    mails.received.length = 0;
    const path = `/api/admin/users/${person.user.id}/reset-second-factor`;
    const list = () => admin.get(`/api/admin/users?query=${name}`);
    expect((await list()).body.items[0].has_second_factor).toBe(true);
    expect((await admin.post(path)).body.has_second_factor).toBe(false);
    expect((await list()).body.items[0].has_second_factor).toBe(false);
    expect((await socket.closing()).code).toBe(4401);
    expect((await login()).answer.status).toBe(200);
  });

  test("nobody resets their own", async () => {
    const path = `/api/admin/users/${admin.user.id}/reset-second-factor`;
    expectProblem(await admin.post(path), 409, "self_lockout");
  });
});
