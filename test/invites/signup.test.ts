import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createFirstLink } from "../../src/invites/invites.ts";
import { insertUser } from "../../src/users/create-user.ts";
import { prepareUser } from "../../src/accounts/create-account.ts";
import { invites } from "../../src/database/schema.ts";
import { hashToken, randomToken } from "../../src/platform/secrets/secrets.ts";
import { Client, expectProblem } from "../support/client.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.stop());

const firstLink = async () => (await createFirstLink(world.database.db)) ?? "no link";
const check = (token: string) => world.anonymous.post("/api/signup/check", { token });
const signUp = (token: string, more: object = {}) =>
  world.anonymous.post("/api/signup", { token, username: "ada", password: PASSWORD, ...more });
const EMAIL = { email: "Ada@Example.org" };

/** Creates the token of an invite. */
async function invite(email: string, hours = 1): Promise<string> {
  const token = randomToken();
  const expiresAt = new Date(Date.now() + hours * 3_600_000);
  const row = { id: Bun.randomUUIDv7(), tokenHash: hashToken(token), email, expiresAt };
  await world.database.db.insert(invites).values(row);
  return token;
}

describe("the first administrator's link", () => {
  test("creates a site administrator who is signed in, and works once", async () => {
    const token = await firstLink();
    expect(await check(token)).toMatchObject({ status: 200, body: { email: null } });
    const answer = await signUp(token, { ...EMAIL, username: "Ada", display_name: " Ada L. " });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        username: "ada",
        email: "ada@example.org",
        display_name: "Ada L.",
        is_site_admin: true,
        theme: "dark",
        follows_system: true,
      },
    });
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const me = await new Client(world.service.address, cookie).get("/api/auth/me");
    expect(me).toMatchObject({ status: 200, body: answer.body });
    expectProblem(await check(token), 404, "link_not_found");
    expectProblem(await signUp(token, { ...EMAIL, username: "eve" }), 404, "link_not_found");
  });

  test("stops working once any account exists", async () => {
    const token = await firstLink();
    const { db } = world.database;
    await insertUser(
      db,
      await prepareUser({ username: "bob", email: "bob@example.org", password: PASSWORD }),
    );
    expectProblem(await check(token), 404, "link_not_found");
    expectProblem(await signUp(token, EMAIL), 404, "link_not_found");
    expect(await createFirstLink(db)).toBeNull();
  });

  test("stops working once a later start has created another", async () => {
    const [earlier, later] = [await firstLink(), await firstLink()];
    expectProblem(await check(earlier), 404, "link_not_found");
    expectProblem(await signUp(earlier, EMAIL), 404, "link_not_found");
    expect((await signUp(later, EMAIL)).status).toBe(201);
  });

  test("expires after a day with 410", async () => {
    const token = await firstLink();
    await world.database.db.update(invites).set({ expiresAt: new Date(Date.now() - 1) });
    expectProblem(await check(token), 410, "link_expired");
    expectProblem(await signUp(token, EMAIL), 410, "link_expired");
  });

  test("requires an email address, and still works after a refusal", async () => {
    const token = await firstLink();
    expectProblem(await signUp(token), 422, "validation");
    expectProblem(await signUp(token, { email: "nowhere" }), 422, "validation");
    expect((await signUp(token, EMAIL)).status).toBe(201);
  });

  test("creates one account when used concurrently", async () => {
    const token = await firstLink();
    const names = ["ada", "bob", "cleo", "dan"];
    const answers = await Promise.all(
      names.map((username) => signUp(token, { username, email: `${username}@example.org` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404]);
    expect(await world.database.sql`select from users`).toHaveLength(1);
  });
});

describe("the link of an invite", () => {
  test("sets the address of the account, whatever the body says", async () => {
    const token = await invite("new@example.org");
    expect(await check(token)).toMatchObject({ status: 200, body: { email: "new@example.org" } });
    const answer = await signUp(token, EMAIL);
    expect(answer).toMatchObject({
      status: 201,
      body: { email: "new@example.org", is_site_admin: false },
    });
    expectProblem(await check(token), 404, "link_not_found");
  });

  test("still works after a taken username, in any case", async () => {
    await world.person("ada");
    const token = await invite("new@example.org");
    expectProblem(await signUp(token, { username: "ADA" }), 409, "username_taken");
    expect((await check(token)).status).toBe(200);
    expect((await signUp(token, { username: "ada2" })).status).toBe(201);
  });

  test("cannot create a second account for an address", async () => {
    await world.person("ada");
    const token = await invite("ada@example.org");
    expectProblem(await signUp(token, { username: "ada2" }), 409, "email_taken");
  });

  test("creates one account when used concurrently", async () => {
    const token = await invite("new@example.org");
    const answers = await Promise.all(["a", "b"].map((username) => signUp(token, { username })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
  });

  test("that has expired is 410, and an unknown one is 404", async () => {
    expectProblem(await check(await invite("new@example.org", -1)), 410, "link_expired");
    expectProblem(await check("never-made"), 404, "link_not_found");
    expectProblem(await signUp(randomToken()), 404, "link_not_found");
  });

  test("requires a password of 10 to 256 characters and a valid username", async () => {
    const token = await invite("new@example.org");
    for (const more of [
      { password: "123456789" },
      { password: "x".repeat(257) },
      { username: "" },
      { username: "-a" },
      { username: "a-" },
      { username: "a b" },
      { username: "ä" },
      { username: "x".repeat(33) },
      { display_name: "x".repeat(81) },
    ]) {
      expectProblem(await signUp(token, more), 422, "validation");
    }
    const most = {
      username: `a._-${"b".repeat(28)}`,
      password: "long one ".repeat(29).slice(0, 256),
    };
    expect((await signUp(token, most)).status).toBe(201);
  });
});
