import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

const PATH = "/api/admin/bots";
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);

let world: World;
let admin: Client;
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("ada", { isSiteAdmin: true });
});
afterAll(() => world.stop());

async function makeBot(username: string) {
  const answer = await admin.post(PATH, { username });
  expect(answer.status).toBe(201);
  return answer.body;
}
const makeToken = (bot: { id: string }, more = {}) =>
  admin.post(`${PATH}/${bot.id}/tokens`, { name: "ci", scopes: ["read:messages"], ...more });
const audited = (targetId: string) => world.database.sql`
  select actor_id, action, target_type, target_name, details, ip from admin_audit_log
  where target_id = ${targetId} order by id`;
const count = async () =>
  (await world.database.sql`select count(*)::int as n from admin_audit_log`)[0]?.n;

describe("a bot", () => {
  test("is created, listed and changed, with a row of the audit log for each change", async () => {
    const response = await admin.post(PATH, { username: "Builds", display_name: " The builds " });
    const { id } = response.body;
    expect(response).toMatchObject({
      status: 201,
      body: {
        id: ID,
        username: "builds",
        display_name: "The builds",
        avatar_url: null,
        is_bot: true,
        is_active: true,
        email: null,
        theme: "dark",
        follows_system: true,
        is_site_admin: false,
        last_seen_at: null,
      },
    });
    const changed = await admin.patch(`${PATH}/${id}`, { display_name: null, is_active: false });
    expect((await admin.get(`${PATH}?limit=200`)).body.items).toContainEqual(changed.body);
    expect(changed).toMatchObject({ status: 200, body: { display_name: null, is_active: false } });
    const by = { actor_id: admin.user.id, ip: "127.0.0.1" };
    const target = { target_type: "bot", target_name: "builds" };
    expect([...(await audited(id))]).toEqual([
      { ...by, ...target, action: "bot.create", details: { display_name: "The builds" } },
      {
        ...by,
        ...target,
        action: "bot.update",
        details: { display_name: null, is_active: false },
      },
    ]);
  });

  test("that is not changed writes no row", async () => {
    const { id } = await makeBot("same");
    const before = await count();
    for (const body of [{}, { is_active: true }, { display_name: null }]) {
      expect((await admin.patch(`${PATH}/${id}`, body)).status).toBe(200);
    }
    expect(await count()).toBe(before);
  });

  test("is not created by a refused request, nor is a row", async () => {
    await makeBot("taken");
    const before = await count();
    expectProblem(await admin.post(PATH, { username: "TAKEN" }), 409, "username_taken");
    for (const body of [
      { username: ".x" },
      {},
      { username: "x", display_name: "a\nb" },
      { username: "x", display_name: " " },
    ]) {
      expectProblem(await admin.post(PATH, body), 422, "validation");
    }
    for (const id of [admin.user.id, Bun.randomUUIDv7()]) {
      expectProblem(await admin.patch(`${PATH}/${id}`, { is_active: false }), 404, "not_found");
      expectProblem(await admin.get(`${PATH}/${id}/tokens`), 404, "not_found");
      expectProblem(await makeToken({ id }), 404, "not_found");
    }
    expect(await count()).toBe(before);
    expect((await admin.get("/api/auth/me")).status).toBe(200);
  });

  test("is listed by username in pages", async () => {
    for (const name of ["page-c", "page-a", "page-b"]) await makeBot(name);
    const names: string[] = [];
    let cursor = "";
    do {
      const { body } = await admin.get(`${PATH}?limit=2${cursor && `&cursor=${cursor}`}`);
      names.push(...body.items.map((bot: { username: string }) => bot.username));
      cursor = body.next;
    } while (cursor);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(["page-a", "page-b", "page-c"]));
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain("ada");
  });
});

describe("a token", () => {
  test("is shown once, and then only its last characters", async () => {
    const bot = await makeBot("once");
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { status, body } = await makeToken(bot, { name: " Nightly ", expires_at });
    const { token, ...shown } = body;
    expect({ status, shown }).toEqual({
      status: 201,
      shown: {
        id: ID,
        name: "Nightly",
        last4: token.slice(-4),
        scopes: ["read:messages"],
        expires_at,
        last_used_at: null,
        created_at: expect.stringMatching(/Z$/),
        created_by: expect.objectContaining({ username: "ada" }),
      },
    });
    expect(token).toMatch(/^snug_[A-Za-z0-9_-]{43}$/);
    const list = await admin.get(`${PATH}/${bot.id}/tokens`);
    expect(list.body).toEqual({ items: [shown], next: null });
    const me = await new Client(admin.base, null, undefined, token).get("/api/auth/me");
    expect(me.body.username).toBe("once");
  });

  test("is revoked once, under the bot that it belongs to", async () => {
    const [bot, other] = [await makeBot("revoked"), await makeBot("other")];
    const { body } = await makeToken(bot);
    const path = (id: string) => `${PATH}/${id}/tokens/${body.id}`;
    expectProblem(await admin.delete(path(other.id)), 404, "not_found");
    expect(await admin.delete(path(bot.id))).toMatchObject({ status: 204, body: "" });
    expectProblem(await admin.delete(path(bot.id)), 404, "not_found");
    expect((await admin.get(`${PATH}/${bot.id}/tokens`)).body.items).toEqual([]);
    const client = new Client(admin.base, null, undefined, body.token);
    expectProblem(await client.get("/api/auth/me"), 401, "invalid_token");
  });

  test("writes a row when it is created and revoked, without the secret", async () => {
    const bot = await makeBot("logged");
    const { body } = await makeToken(bot, { scopes: ["manage:rooms", "write:messages"] });
    await admin.delete(`${PATH}/${bot.id}/tokens/${body.id}`);
    const rows = await audited(body.id);
    const common = { actor_id: admin.user.id, ip: "127.0.0.1", target_type: "token" };
    expect([...rows]).toEqual([
      {
        ...common,
        action: "token.create",
        target_name: "ci",
        details: { bot: "logged", scopes: ["manage:rooms", "write:messages"], expires_at: null },
      },
      { ...common, action: "token.revoke", target_name: "ci", details: { bot: "logged" } },
    ]);
    const [log] = await world.database.sql`
      select string_agg(to_jsonb(l)::text, '') as text from admin_audit_log l`;
    expect(log?.text).not.toContain(body.token.slice(5, 20));
  });

  test.each([
    ["a scope that there is not", { scopes: ["admin"] }],
    ["a scope twice", { scopes: ["read:messages", "read:messages"] }],
    ["no scopes at all", { scopes: null }],
    ["a blank name", { name: " " }],
    ["a long name", { name: "x".repeat(81) }],
    ["a name on two lines", { name: "a\nb" }],
    ["an end that is past", { expires_at: "2020-01-01T00:00:00Z" }],
    ["a day that no calendar has", { expires_at: "2999-13-45T00:00:00Z" }],
    ["an end that is no time", { expires_at: "tomorrow" }],
  ])("with %s is refused, and writes no row", async (_, params) => {
    const [bot] = (await admin.get(`${PATH}?limit=1`)).body.items;
    const before = await count();
    expectProblem(await makeToken(bot, params), 422, "validation");
    expect(await count()).toBe(before);
  });

  test("is listed in pages, the latest first", async () => {
    const bot = await makeBot("many");
    const made: string[] = [];
    for (let i = 0; i < 3; i++) made.unshift((await makeToken(bot)).body.id);
    const first = (await admin.get(`${PATH}/${bot.id}/tokens?limit=2`)).body;
    const rest = (await admin.get(`${PATH}/${bot.id}/tokens?limit=2&cursor=${first.next}`)).body;
    const ids = [...first.items, ...rest.items].map((token: { id: string }) => token.id);
    expect(ids).toEqual(made);
    expect(rest.next).toBeNull();
    const foreign = Buffer.from("ada").toString("base64url");
    const answer = await admin.get(`${PATH}/${bot.id}/tokens?cursor=${foreign}`);
    expectProblem(answer, 422, "validation");
  });
});
