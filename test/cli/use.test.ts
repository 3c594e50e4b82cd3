import { afterAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Running } from "../support/process.ts";

/** Nothing here may reach a database: there is none at this address. */
const NOWHERE = {
  DATABASE_URL: "postgres://snug:hunter2@127.0.0.1:1/snug",
  DATA_DIR: join(tmpdir(), `snug-cli-use-${process.pid}`),
};
afterAll(() => rm(NOWHERE.DATA_DIR, { recursive: true, force: true }));
const cli = (...args: string[]) => Running.cli(args, NOWHERE);

const COMMANDS = [
  "user create",
  "user list",
  "user show",
  "user set-password",
  "user deactivate",
  "user reactivate",
  "user promote",
  "user demote",
  "invite",
  "invite list",
  "invite resend",
  "invite revoke",
  "bot create",
  "bot token",
  "bot tokens",
  "bot revoke",
  "room list",
  "room archive",
  "room unarchive",
  "secrets rotate",
  "migrate",
  "doctor",
];

describe("help", () => {
  test("lists every command, asked for in any way", async () => {
    const answers = await Promise.all([cli(), cli("--help"), cli("help")]);
    for (const { status, out, err } of answers) {
      expect([status, err]).toEqual([0, ""]);
      for (const command of COMMANDS) expect(out).toContain(`  ${command} `);
    }
  });

  test("explains each command without a database", async () => {
    for (const command of COMMANDS) {
      const { status, out, err } = await cli(...command.split(" "), "--help");
      expect([status, err]).toEqual([0, ""]);
      expect(out).toStartWith(`bun cli.ts ${command}`);
      expect(out).toContain("--json");
    }
  });
});

describe("a group of commands", () => {
  test.each(["user", "bot", "room", "secrets"])(
    "%s alone, or with --help, lists them",
    async (group) => {
      const answers = await Promise.all([cli(group), cli(group, "--help"), cli(group, "-h")]);
      for (const { status, out, err } of answers) {
        expect([status, err]).toEqual([0, ""]);
        const listed = COMMANDS.filter((command) => out.includes(`  ${command} `));
        expect(listed).toEqual(COMMANDS.filter((command) => command.startsWith(`${group} `)));
      }
    },
  );
});

describe("wrong use ends with 2 and one line that helps", () => {
  test.each([
    ["an unknown command", ["fly"]],
    ["an unknown verb", ["user", "fly"]],
    ["an unknown verb and a wish for help", ["user", "fly", "--help"]],
    ["an invite to nobody", ["invite"]],
    ["an unknown option", ["user", "list", "--fast"]],
    ["a missing word", ["user", "show"]],
    ["a word too many", ["user", "show", "ada", "bob"]],
    ["a missing option", ["user", "create", "ada"]],
    ["an option without its value", ["user", "create", "ada", "--email"]],
  ])("%s", async (_, args) => {
    const { status, out, err } = await cli(...args);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toMatch(/bun cli\.ts|Commands:|--help|needs/);
  });
});

describe("what cannot be done ends with 1 and one line that says why", () => {
  test("a database that is not there", async () => {
    const { status, out, err } = await cli("user", "list");
    expect([status, out]).toEqual([1, ""]);
    expect(err).toMatch(/^[^\n]+DATABASE_URL[^\n]*\n$/);
    expect(err).not.toContain("hunter2");
  });

  test("a bad setting", async () => {
    const { status, err } = await Running.cli(["user", "list"], { ...NOWHERE, TRUST_PROXY: "yes" });
    expect(status).toBe(1);
    expect(err).toMatch(/^TRUST_PROXY [^\n]+\n$/);
  });
});

describe("the doctor", () => {
  test("goes through all, says which is wrong, and ends with 1", async () => {
    const { status, out } = await cli("doctor");
    expect(status).toBe(1);
    const lines = out.trim().split("\n");
    expect(lines.filter((line) => line.startsWith("WRONG"))).toHaveLength(1);
    expect(lines.find((line) => line.startsWith("WRONG"))).toMatch(/database.*DATABASE_URL/);
    expect(lines.filter((line) => line.startsWith("ok"))).toHaveLength(3);
    expect(out).not.toContain("hunter2");
  });

  test("says it as JSON too", async () => {
    const { status, out } = await cli("doctor", "--json");
    expect(status).toBe(1);
    const checks: { check: string; ok: boolean; detail: string }[] = JSON.parse(out);
    expect(checks.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual(["database"]);
  });

  test("says that a folder cannot be written", async () => {
    const env = { ...NOWHERE, DATA_DIR: "/dev/null/data" };
    const { status, out } = await Running.cli(["doctor"], env);
    expect(status).toBe(1);
    expect(out).toMatch(/WRONG +disk +\S/);
    expect(out).not.toContain("    at ");
  });
});
