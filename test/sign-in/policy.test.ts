import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { restrictOverdueSessions } from "../../src/authentication/sessions.ts";
import { Client, expectProblem } from "../support/client.ts";
import { runCli } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import {
  beginLogin,
  codeOf,
  finishLogin,
  expireReauthentication,
  turnOnTotp,
} from "../support/factors.ts";
import { ROUTES } from "../support/routes.ts";
import { World } from "../support/world.ts";

let world: World;
let admin: Client;
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("admin", { isSiteAdmin: true });
  await turnOnTotp(admin);
});
afterAll(() => world.stop());
let count = 0;
let name: string;
beforeEach(async () => {
  name = `person-${++count}`;
  await set("optional");
});

const PATH = "/api/admin/settings/sign-in";
const set = async (second_factor: string) => {
  const { status, body } = await admin.put(PATH, { second_factor });
  expect([status, body]).toEqual([200, body]);
  return body;
};
/** Moves the beginning of the policy, and of all accounts, back. */
const pass = async (days: number) => {
  const { sql } = world.database;
  await sql`update site_settings set second_factor_since =
    second_factor_since - ${days} * interval '1 day'`;
  await sql`update users set created_at = created_at - ${days} * interval '1 day'`;
  await restrictOverdueSessions(world.database.db);
};
const isRestricted = async (client: Client) =>
  (await client.get("/api/auth/session")).body.is_restricted;
const login = async () => {
  const { answer } = await beginLogin(world, name);
  const [cookie = null] = answer.headers.getSetCookie()[0]?.split(";") ?? [];
  return { ...answer, client: new Client(world.service.address, cookie, answer.body) };
};

describe("a policy for everyone", () => {
  test("gives seven days, then leaves the routes of sign-in alone", async () => {
    const person = await world.person(name);
    const room = await world.room(name, person);
    const settings = await set("everyone");
    expect(settings).toMatchObject({ second_factor: "everyone", grace_days: 7 });
    expect(settings.without_second_factor).toBeGreaterThan(0);
    const { body } = await person.get("/api/auth/me/second-factor");
    expect(body).toMatchObject({ is_required: true, is_restricted: false });
    expect(Date.parse(body.required_from) - Date.now()).toBeWithin(6.9 * 864e5, 7.01 * 864e5);
    await pass(6.9);
    expect(await isRestricted(person)).toBe(false);
    const socket = await person.socket();
    await pass(0.2);
    expect((await socket.closing()).code).toBe(4401);
    expect(await isRestricted(person)).toBe(true);
    for (const path of ["/api/rooms", "/api/users", `/api/rooms/${room}/messages`]) {
      expectProblem(await person.get(path), 403, "second_factor_required");
    }
    const posted = await person.post(`/api/rooms/${room}/messages`, { content: "x" });
    expectProblem(posted, 403, "second_factor_required");
    const response = await fetch(`${world.service.address}/ws/chat`, {
      headers: { cookie: person.cookie ?? "", origin: world.service.address },
    });
    expect(response.status).toBe(403);
    expect((await person.get("/api/auth/me")).status).toBe(200);
    // A new sign-in is restricted from its start, and one with a factor is not.
    const { status, client } = await login();
    expect([status, await isRestricted(client)]).toEqual([200, true]);
    const { secret } = await turnOnTotp(client);
    expect(await isRestricted(client)).toBe(false);
    expect((await client.get("/api/rooms")).status).toBe(200);
    const { cookie } = await beginLogin(world, name);
    const done = await finishLogin(world, cookie, { totp: codeOf(secret) });
    expect(done.status).toBe(200);
  });

  test("keeps the last factor", async () => {
    const person = await world.person(name);
    await turnOnTotp(person);
    await set("everyone");
    expectProblem(await person.delete("/api/auth/me/totp"), 409, "last_factor");
    await set("optional");
    expect((await person.delete("/api/auth/me/totp")).status).toBe(204);
  });

  test("counts from the later of the policy and the account, and again when it is set again", async () => {
    const old = await world.person(`${name}-old`);
    await set("everyone");
    await pass(8);
    const fresh = await world.person(name);
    await restrictOverdueSessions(world.database.db);
    expect([await isRestricted(old), await isRestricted(fresh)]).toEqual([true, false]);
    await set("optional");
    expect(await isRestricted(old)).toBe(false);
    await set("everyone");
    await restrictOverdueSessions(world.database.db);
    expect(await isRestricted(old)).toBe(false);
  });

  test("is not asked of bots", async () => {
    const { without_second_factor } = await set("everyone");
    const bot = await world.bot(name, ["read:messages"]);
    expect((await admin.get(PATH)).body.without_second_factor).toBe(without_second_factor);
    await pass(8);
    expect((await bot.get("/api/rooms")).status).toBe(200);
  });

  test("is turned back by the command line, also when everyone is restricted", async () => {
    const person = await world.person(name);
    await set("everyone");
    await pass(8);
    expect(await isRestricted(person)).toBe(true);
    const env = { DATABASE_URL: urlOf(world.target), DATA_DIR: world.settings.DATA_DIR };
    const shown = await runCli(["sign-in", "show"], env);
    expect(shown.out).toContain("everyone");
    const { status } = await runCli(["sign-in", "set", "--second-factor=optional"], env);
    expect(status).toBe(0);
    expect(await isRestricted(person)).toBe(false);
  });
});

describe("a restricted session", () => {
  test("reaches no route but those of sign-in, an administrator's neither", async () => {
    const person = await world.person(name, { isSiteAdmin: true });
    await world.database.sql`update sessions set is_restricted = true
      where user_id = ${person.user.id}`;
    const closed = ROUTES.filter(
      ({ access, path }) => access !== "public" && !path.startsWith("/api/auth/"),
    );
    expect(closed.length).toBeGreaterThan(80);
    const codes = await Promise.all(
      closed.map(async ({ method, path }) => {
        const address = path.replace(/:[a-z0-9_]+/g, () => Bun.randomUUIDv7());
        return [`${method} ${path}`, (await person.call(method, address)).body.code];
      }),
    );
    expect(codes.filter(([, code]) => code !== "second_factor_required")).toEqual([]);
    for (const path of ["/api/auth/me", "/api/auth/me/sessions", "/api/auth/me/second-factor"]) {
      expect((await person.get(path)).status).toBe(200);
    }
  });
});

describe("a policy for administrators", () => {
  test("is asked of them alone, and never locks out the last: they turn one on", async () => {
    const person = await world.person(name);
    const other = await world.person(`${name}-admin`, { isSiteAdmin: true });
    await set("administrators");
    await pass(8);
    expect([await isRestricted(person), await isRestricted(other)]).toEqual([false, true]);
    expectProblem(await other.get("/api/admin/users"), 403, "second_factor_required");
    await expireReauthentication(world, other);
    await other.post("/api/auth/proof", { password: "correct horse battery" });
    await turnOnTotp(other);
    expect((await other.get("/api/admin/users")).status).toBe(200);
  });

  test("is changed with a proof alone, as are providers, and tokens are made", async () => {
    await expireReauthentication(world, admin);
    const idp = { slug: "x", name: "X", issuer: "https://idp.example.org", client_id: "x" };
    const { body: bot } = await admin.post("/api/admin/bots", { username: name });
    const token = { name: "x", scopes: [] };
    for (const refused of [
      await admin.put(PATH, { second_factor: "everyone" }),
      await admin.post("/api/admin/identity-providers", idp),
      await admin.post(`/api/admin/bots/${bot.id}/tokens`, token),
    ]) {
      expectProblem(refused, 403, "proof_needed");
    }
    await admin.post("/api/auth/proof", { password: "correct horse battery" });
  });
});
