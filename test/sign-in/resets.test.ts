import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { expectProblem } from "../support/client.ts";
import { linkOf, MailServer } from "../support/smtp.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

const NEW = "a quite new password";
let mails: MailServer;
let world: World;
beforeAll(async () => {
  mails = await MailServer.open("plain");
  world = await World.start({ TRUST_PROXY: "1" });
  const admin = await world.person("admin", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", mails.settings);
});
afterAll(async () => {
  await world.stop();
  await mails.close();
});

let people = 0;
let name: string;
beforeEach(() => {
  name = `person-${++people}`;
});

/** Each call is from another address. */
const forgot = (email: string, address = `203.0.113.${people}`) =>
  world.anonymous.call(
    "POST",
    "/api/auth/forgot-password",
    { email },
    { "x-forwarded-for": address },
  );
const reset = (token: string, password = NEW) =>
  world.anonymous.post("/api/auth/reset-password", { token, password });
const login = (password: string) =>
  world.anonymous.call("POST", "/api/auth/login", { username: name, password });
const linkFor = async (email: string) => {
  await forgot(email);
  const received = await mails.next();
  expect(received.to).toEqual([email.toLowerCase()]);
  return linkOf(received, "/reset-password").token;
};
/** A mail says that a password was changed. */
afterEach(async () => {
  await untilMailed();
  while (mails.waiting > 0) await mails.next();
});
/** Waits until there is no job that sends a mail. */
async function untilMailed() {
  const left = () =>
    world.database.sql`select from jobs where kind like '%_mail' and failed_at is null`;
  await eventually(async () => (await left()).length === 0);
}

describe("a forgotten password", () => {
  test("is reset with a link from a mail, which ends all sessions", async () => {
    const someone = await world.person(name, { displayName: "Grace Hopper" });
    const socket = await someone.socket();
    const token = await linkFor(`${name}@EXAMPLE.org`);
    const check = await world.anonymous.post("/api/auth/reset-password/check", { token });
    expect(check).toMatchObject({ status: 200, body: { username: name } });
    expect((await reset(token)).status).toBe(204);
    expect((await socket.closing()).code).toBe(4401);
    expectProblem(await someone.get("/api/auth/me"), 401, "unauthenticated");
    expect((await login(NEW)).status).toBe(200);
    expectProblem(await reset(token), 404, "link_not_found");
  });

  test("gets the same answer whether or not an account has the address", async () => {
    await world.person(name);
    const response = await forgot(`${name}@example.org`);
    const unknown = await forgot("nobody-at-all@example.org");
    expect([response.status, unknown.status]).toEqual([202, 202]);
    expect(response.body).toEqual({ sends_mail: true });
    const methods = await world.anonymous.get("/api/auth/methods");
    expect(methods.body).toMatchObject({ sends_mail: true });
    expect(unknown.body).toEqual(response.body);
    const { to } = await mails.next();
    expect(to).toEqual([`${name}@example.org`]);
    await untilMailed();
    expect(mails.waiting).toBe(0);
  });

  test.each(["", "nobody", "nobody@", "@example.org", "no body@example.org", "a@b"])(
    "needs an address: %p is refused",
    async (email) => expectProblem(await forgot(email), 422, "validation"),
  );

  test("is not mailed to deactivated accounts, nor for a sixth request in an hour", async () => {
    await world.person(name);
    await world.person(`${name}-gone`, { isActive: false });
    await forgot(`${name}-gone@example.org`);
    for (let i = 0; i < 6; i++) {
      expect((await forgot(`${name}@example.org`)).status).toBe(202);
    }
    for (let i = 0; i < 5; i++) {
      expect((await mails.next()).to).toEqual([`${name}@example.org`]);
    }
    await untilMailed();
    expect(mails.waiting).toBe(0);
  });
});

describe("a link to choose a new password", () => {
  test("expires after 15 minutes", async () => {
    await world.person(name);
    const token = await linkFor(`${name}@example.org`);
    const [row] = await world.database.sql`
      select extract(epoch from expires_at - clock_timestamp()) as left from password_resets`;
    expect(Number(row?.left)).toBeWithin(13 * 60, 15 * 60);
    await world.database
      .sql`update password_resets set expires_at = clock_timestamp() - interval '1 second'`;
    expectProblem(await reset(token), 410, "token_expired");
    await world.database.sql`delete from password_resets`;
  });

  test("is deleted when another link is used or the password is changed", async () => {
    await world.person(name);
    const [first, second] = [
      await linkFor(`${name}@example.org`),
      await linkFor(`${name}@example.org`),
    ];
    expect((await reset(second)).status).toBe(204);
    expectProblem(await reset(first, "another good one"), 404, "link_not_found");
    expect((await login(NEW)).status).toBe(200);
  });

  test("works once when used concurrently", async () => {
    await world.person(name);
    const token = await linkFor(`${name}@example.org`);
    const both = await Promise.all([reset(token), reset(token)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  });

  test("still works after a refused password", async () => {
    await world.person(name);
    const token = await linkFor(`${name}@example.org`);
    for (const bad of ["qwertyuiop", "Password123", "aaaaaaaaaaaa", `${name}@example.org`]) {
      expectProblem(await reset(token, bad), 422, "validation");
    }
    expect((await reset(token)).status).toBe(204);
  });

  test("is not sent if the password was set after the request", async () => {
    const someone = await world.person(name);
    mails.refusals.push({ code: 451, words: "4.3.0 Later" });
    await forgot(`${name}@example.org`);
    await mails.untilRefused(mails.refused + 1);
    await someone.put("/api/auth/me/password", {
      current_password: "correct horse battery",
      new_password: NEW,
    });
    await world.database
      .sql`update jobs set run_at = clock_timestamp() - interval '1 second' where kind = 'reset_mail'`;
    await world.database.sql`select pg_notify('snug_jobs', '')`;
    await untilMailed();
    expect((await mails.next()).mail.subject).toStartWith("Your password was changed");
    expect(mails.waiting).toBe(0);
  });
});
