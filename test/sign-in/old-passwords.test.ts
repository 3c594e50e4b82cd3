import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser, setUserPassword } from "../../src/accounts/administer.ts";
import { lockUser } from "../../src/users/users.ts";
import { hashPassword } from "../../src/sign-in/passwords.ts";
import { buildResetMail } from "../../src/sign-in/new-password.ts";
import { endSessions } from "../../src/authentication/sessions.ts";
import { COMMAND_LINE } from "../../src/audit/write.ts";
import type { Transaction } from "../../src/database/connect.ts";
import { commitDuring } from "../support/blocked.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const RESET = "a password that was reset";
const RESET_HASH = await hashPassword(RESET, []);
const CHANGED = "a password that was changed";
const login = (username: string, password = PASSWORD) =>
  world.anonymous.post("/api/auth/login", { username, password });
const change = (client: Client, new_password = CHANGED) =>
  client.put("/api/auth/me/password", { current_password: PASSWORD, new_password });
const sessionsOf = async ({ user }: Client) =>
  (await world.database.sql`select from sessions where user_id = ${user.id}`).length;

const reset = (username: string) => async (tx: Transaction) =>
  setUserPassword(tx, COMMAND_LINE, await lockUser(tx, { username }), RESET_HASH);
const deactivation = (username: string) => async (tx: Transaction) =>
  deactivateUser(tx, COMMAND_LINE, await lockUser(tx, { username }));

describe("a sign-in whose password was verified before", () => {
  test("a reset commits creates no session", async () => {
    const ada = await world.person("login-reset");
    const answer = await commitDuring(world, reset("login-reset"), () => login("login-reset"));
    expectProblem(answer, 401, "invalid_credentials");
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await sessionsOf(ada)).toBe(0);
    expect((await login("login-reset", RESET)).status).toBe(200);
  });

  test("a deactivation commits creates no session", async () => {
    const ada = await world.person("login-gone");
    const work = deactivation("login-gone");
    expectProblem(
      await commitDuring(world, work, () => login("login-gone")),
      401,
      "invalid_credentials",
    );
    expect(await sessionsOf(ada)).toBe(0);
  });
});

describe("a change of password that started before", () => {
  test("an administrator's reset commits changes nothing", async () => {
    const ada = await world.person("change-reset");
    const answer = await commitDuring(world, reset("change-reset"), () => change(ada));
    expectProblem(answer, 401, "unauthenticated");
    expect((await login("change-reset", CHANGED)).status).toBe(401);
    expect((await login("change-reset", RESET)).status).toBe(200);
  });

  test("its session ended changes nothing", async () => {
    const ada = await world.person("change-signed-out");
    const other = await world.signIn(ada.user);
    // The account's row is locked too, so that the change has to wait.
    const work = async (tx: Transaction) => {
      const { id } = await lockUser(tx, { username: "change-signed-out" });
      await endSessions(tx, id);
    };
    expectProblem(await commitDuring(world, work, () => change(other)), 401, "unauthenticated");
    expect((await login("change-signed-out")).status).toBe(200);
  });

  test("another change from the same session commits is refused", async () => {
    const ada = await world.person("change-twice");
    const answers = await Promise.all([change(ada), change(ada, `${CHANGED} twice`)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 422]);
    const match = answers.find(({ status }) => status === 422);
    expect(match?.body.errors).toMatchObject([{ path: "/current_password" }]);
  });
});

describe("a reset link that is mailed while", () => {
  /** Builds the mail with a reset link as the job does. */
  async function mailFor(username: string) {
    const { db, sql } = world.database;
    const id = Bun.randomUUIDv7();
    // No runner claims a job that is due later.
    await sql`insert into jobs (id, kind, payload, run_at, max_attempts)
      values (${id}, 'reset_mail', '{}', clock_timestamp() + interval '1 hour', 1)`;
    const deps = { readKey: async () => [Buffer.alloc(32, 7)] as const, baseUrl: "http://x.test" };
    return () => buildResetMail(db, deps as never, `${username}@example.org`, id);
  }
  const links = () => world.database.sql`select from password_resets`;

  test.each([
    ["a password is set", "mail-reset", reset],
    ["the account is deactivated", "mail-gone", deactivation],
  ])("%s is not sent, and is not stored", async (_, username, work) => {
    await world.person(username);
    expect(await commitDuring(world, work(username), await mailFor(username))).toBeNull();
    expect(await links()).toHaveLength(0);
  });
});
