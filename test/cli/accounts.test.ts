import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { verifyPassword } from "../../src/sign-in/passwords.ts";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import { runCli } from "../support/command-line.ts";
import { freshDatabase, urlOf } from "../support/database.ts";

let env: { DATABASE_URL: string };
let database: Database;
beforeAll(async () => {
  const target = await freshDatabase();
  env = { DATABASE_URL: urlOf(target) };
  database = connectDatabase(target, 1);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`delete from users`;
});

const cli = (args: string, stdin = "") => runCli(args.split(" "), env, stdin);
/** Runs a command that must succeed and parses its JSON. */
async function json(args: string, stdin = "") {
  const { status, out, err } = await cli(`${args} --json`, stdin);
  expect([status, err]).toEqual([0, ""]);
  return JSON.parse(out);
}
const make = (name: string, more = "") =>
  json(
    `user create ${name} --email ${name}@example.org --password-stdin${more}`,
    "a good password",
  );

async function works(username: string, password: string): Promise<boolean> {
  const [row] = await database.sql`select password_hash from users where username = ${username}`;
  return verifyPassword(password, row?.password_hash);
}

describe("user create", () => {
  test("creates an account with the first line of standard input as password", async () => {
    const args =
      "user create Ada --email Ada@Example.org --admin --display-name Ada --password-stdin";
    const user = await json(args, "a good password\nand more");
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: "ada",
      display_name: "Ada",
      email: "ada@example.org",
      is_active: true,
      is_site_admin: true,
      is_bot: false,
      created_at: expect.stringMatching(/Z$/),
      last_seen_at: null,
    });
    expect(await works("ada", "a good password")).toBe(true);
  });

  test("generates a password and shows it once", async () => {
    const user = await json("user create ada --email ada@example.org");
    expect(user.is_site_admin).toBe(false);
    expect(await works("ada", user.password)).toBe(true);
    const { out } = await cli("user create bob --email bob@example.org");
    const shown = /\(shown once\): (\S+)/.exec(out)?.[1] ?? "";
    expect(await works("bob", shown)).toBe(true);
    expect((await cli("user show bob")).out).not.toContain(shown);
  });

  test.each([
    ["a taken name", "user create ADA --email new@example.org"],
    ["a taken address", "user create new --email ADA@example.org"],
    ["a name off the pattern", "user create .ada --email x@example.org"],
    ["no address", "user create new --email nowhere"],
  ])("refuses %s in one line", async (_, args) => {
    await make("ada");
    const { status, out, err } = await cli(args);
    expect([status, out]).toEqual([1, ""]);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(await database.sql`select from users`).toHaveLength(1);
  });

  test.each(["short", ""])("refuses the password %p without printing it", async (password) => {
    const args = "user create ada --email ada@example.org --password-stdin";
    const { status, err } = await cli(args, `${password}\n`);
    expect(status).toBe(1);
    expect(err).toMatch(/^[^\n]*10 to 256[^\n]*\n$/);
  });
});

describe("user list and user show", () => {
  test("show accounts without secrets", async () => {
    expect((await cli("user list")).out).toBe("No accounts yet.\n");
    const [bob, ada] = [await make("bob"), await make("ada", " --admin")];
    expect(await json("user list")).toEqual([ada, bob]);
    expect(await json("user show BOB")).toEqual(bob);
    const { out } = await cli("user list");
    expect(out).toMatch(
      /^ada +ada@example\.org +active, site admin\nbob +bob@example\.org +active\n$/,
    );
    expect((await cli("user show ada")).out).toMatch(/email +ada@example\.org/);
    for (const text of [out, (await cli("user show ada --json")).out]) {
      expect(text).not.toContain("argon2");
    }
  });
});

describe("an account", () => {
  test("is promoted, demoted, deactivated and reactivated", async () => {
    await make("ada", " --admin");
    await make("bob");
    expect(await json("user promote bob")).toMatchObject({ is_site_admin: true });
    expect(await json("user demote bob")).toMatchObject({ is_site_admin: false });
    expect(await json("user deactivate Bob")).toMatchObject({ is_active: false });
    expect((await cli("user list")).out).toContain("deactivated");
    expect(await json("user reactivate bob")).toMatchObject({ is_active: true });
  });

  test("gets a new password, chosen or generated", async () => {
    await make("ada");
    await json("user set-password ada --password-stdin", "another good one\r\n");
    expect(await works("ada", "another good one")).toBe(true);
    const { password } = await json("user set-password ada");
    expect(await works("ada", password)).toBe(true);
    expect(await works("ada", "another good one")).toBe(false);
  });

  test("that is unknown is refused by every command", async () => {
    for (const verb of ["show", "set-password", "deactivate", "reactivate", "promote", "demote"]) {
      const { status, out, err } = await cli(`user ${verb} nobody`);
      expect([status, out, err]).toEqual([1, "", "There is no user named nobody.\n"]);
    }
  });
});

describe("the last active site administrator", () => {
  test("can be neither demoted nor deactivated", async () => {
    await make("ada", " --admin");
    await make("gone", " --admin");
    await json("user deactivate gone");
    for (const verb of ["demote", "deactivate"]) {
      const { status, err } = await cli(`user ${verb} ada`);
      expect(status).toBe(1);
      expect(err).toMatch(/^[^\n]*last active[^\n]*\n$/);
    }
    expect(await json("user show ada")).toMatchObject({ is_active: true, is_site_admin: true });
  });

  test("remains when two are demoted concurrently", async () => {
    await make("ada", " --admin");
    await make("bob", " --admin");
    const answers = await Promise.all([cli("user demote ada"), cli("user deactivate bob")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([0, 1]);
    const rows = await database.sql`select from users where is_active and is_site_admin`;
    expect(rows).toHaveLength(1);
  });
});
