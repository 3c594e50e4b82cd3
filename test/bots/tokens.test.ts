import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { lockUser } from "../../src/users/users.ts";
import { updateLastUsed } from "../../src/authentication/tokens.ts";
import { deactivateUser, reactivateUser } from "../../src/accounts/administer.ts";
import { revokeToken } from "../../src/admin/tokens.ts";
import { COMMAND_LINE } from "../../src/audit/write.ts";
import { apiTokens } from "../../src/database/schema.ts";
import { hashToken } from "../../src/platform/secrets/secrets.ts";
import { blocksAnother } from "../support/blocked.ts";
import { Client, expectProblem } from "../support/client.ts";
import { PASSWORD, World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let ada: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
});
afterAll(() => world.stop());

const me = (client: Client, headers = {}) => client.call("GET", "/api/auth/me", undefined, headers);

async function tokenOf(bot: Client) {
  const [row] = await world.database.sql<{ id: string; last_used_at: Date | null }[]>`
    select id, last_used_at from api_tokens where token_hash = ${hashToken(bot.token ?? "")}`;
  if (!row) throw new Error("the bot has no such token");
  return row;
}

/** Waits until the use of a bot's token is written down. */
async function noted(bot: Client): Promise<Date> {
  let usedAt = new Date(0);
  await eventually(async () => {
    usedAt = (await tokenOf(bot)).last_used_at ?? usedAt;
    return Date.now() - usedAt.getTime() < 30_000;
  });
  return usedAt;
}

test("noting a token's use locks its account first, as what schedules with it does", async () => {
  const bot = await world.bot("locked", []);
  const { id } = await tokenOf(bot);
  const { db, sql } = world.database;
  const noting = await db.transaction(async (tx) => {
    await lockUser(tx, { id: bot.user.id });
    const [self] = await tx.execute<{ pid: number }>("select pg_backend_pid() as pid");
    const noting = updateLastUsed(sql, [id]);
    noting.catch(() => {});
    await eventually(() => blocksAnother(sql, self?.pid ?? 0));
    // It waits for the account, and does not hold the token meanwhile.
    await tx.select().from(apiTokens).where(eq(apiTokens.id, id)).for("share", { noWait: true });
    return { done: noting };
  });
  await noting.done;
  expect((await tokenOf(bot)).last_used_at).not.toBeNull();
});

describe("a bot with a token", () => {
  test("is itself, with all the fields of an account and no address", async () => {
    const bot = await world.bot("itself", []);
    expect(await me(bot)).toMatchObject({
      status: 200,
      body: {
        id: bot.user.id,
        username: "itself",
        display_name: null,
        avatar_url: null,
        is_bot: true,
        is_active: true,
        email: null,
        theme: "dark",
        follows_system: true,
        active_custom_theme_id: null,
        active_custom_theme: null,
        appear_offline: false,
        is_site_admin: false,
        created_at: expect.stringMatching(/Z$/),
      },
    });
  });

  test("counts beside a good cookie, and whatever the case of the scheme", async () => {
    const bot = await world.bot("beside", []);
    const { body } = await me(ada, { authorization: `BEARER ${bot.token}` });
    expect(body.username).toBe("beside");
  });

  test("may change things from anywhere: it carries nothing by itself", async () => {
    const bot = await world.bot("foreign", []);
    const room = { name: "of-a-bot", privacy: "open" };
    const headers = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
    const answer = await bot.call("POST", "/api/rooms", room, headers);
    expect(answer).toMatchObject({ status: 201, body: { owner: { is_bot: true } } });
  });

  test("is distinguished from others that call at the same time", async () => {
    const bots = await Promise.all(["one", "two", "three"].map((name) => world.bot(name, [])));
    const wrong = `Bearer snug_${"x".repeat(43)}`;
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        i % 4 === 3 ? me(ada, { authorization: wrong }) : me(bots[i % 4] as Client),
      ),
    );
    const names = answers.map(({ body }) => body.username ?? body.code);
    const once = ["one", "two", "three", "invalid_token"];
    expect(names).toEqual(Array.from({ length: 60 }, (_, i) => once[i % 4] ?? ""));
  });

  test("cannot sign in, and has no password to reset", async () => {
    await world.bot("machine", []);
    const values = { username: "machine", password: PASSWORD };
    const answer = await world.anonymous.post("/api/auth/login", values);
    expectProblem(answer, 401, "invalid_credentials");
  });
});

describe("a token opens nothing", () => {
  async function expectRefused(bot: Client) {
    for (const client of [bot, new Client(bot.base, ada.cookie)]) {
      const answer = await me(client, { authorization: `Bearer ${bot.token}` });
      expectProblem(answer, 401, "invalid_token");
      expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    }
  }

  test("once it is revoked", async () => {
    const bot = await world.bot("revoked", []);
    expect((await me(bot)).status).toBe(200);
    const { id } = await tokenOf(bot);
    await world.database.db.transaction((tx) => revokeToken(tx, COMMAND_LINE, id));
    await expectRefused(bot);
  });

  test("once it has expired", async () => {
    const bot = await world.bot("expired", [], { expiresAt: new Date(Date.now() + 60_000) });
    expect((await me(bot)).status).toBe(200);
    await world.database.sql`update api_tokens set created_at = now() - interval '2 hours',
      expires_at = now() - interval '1 second' where user_id = ${bot.user.id}`;
    await expectRefused(bot);
  });

  test("while its bot is deactivated, and does again afterwards", async () => {
    const bot = await world.bot("paused", []);
    await world.administer("paused", deactivateUser);
    await expectRefused(bot);
    await world.administer("paused", reactivateUser);
    expect((await me(bot)).status).toBe(200);
  });
});

describe("the last use of a token", () => {
  test("is written down, for its bot too", async () => {
    const bot = await world.bot("used", []);
    expect((await tokenOf(bot)).last_used_at).toBeNull();
    await me(bot);
    await noted(bot);
    const [row] = await world.database.sql`
      select last_seen_at from users where id = ${bot.user.id}`;
    expect(row?.last_seen_at).not.toBeNull();
  });

  test("is written at most once a minute", async () => {
    const [bot, later] = [await world.bot("busy", []), await world.bot("later", [])];
    const setTo = (seconds: number) => world.database.sql`
      update api_tokens set last_used_at = now() - ${seconds} * interval '1 second'
      where user_id = ${bot.user.id}`;
    await setTo(50);
    const { last_used_at } = await tokenOf(bot);
    await me(bot);
    await me(later);
    await noted(later);
    expect((await tokenOf(bot)).last_used_at).toEqual(last_used_at);
    await setTo(70);
    await me(bot);
    await noted(bot);
  });
});

test("of a token nothing is stored but its hash and its last four characters", async () => {
  const bot = await world.bot("stored", ["read:messages"]);
  expect(bot.token).toMatch(/^snug_[A-Za-z0-9_-]{43}$/);
  const rows = await world.database.sql`
    select to_jsonb(t)::text as text, t.last4 from api_tokens t where user_id = ${bot.user.id}`;
  expect(rows[0]?.last4).toBe(bot.token?.slice(-4));
  expect(rows[0]?.text).not.toContain(bot.token?.slice(5, -4));
});
