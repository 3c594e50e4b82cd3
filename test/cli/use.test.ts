import { afterAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/run.ts";
import { runCli, runHere } from "../support/command-line.ts";

const ROOT = join(import.meta.dir, "../..");
/** There is no database at this address, and nothing here may need one. */
const NOWHERE = {
  DATABASE_URL: "postgres://snug:hunter2@127.0.0.1:1/snug",
  DATA_DIR: join(tmpdir(), `snug-cli-use-${process.pid}`),
};
afterAll(() => rm(NOWHERE.DATA_DIR, { recursive: true, force: true }));
const cli = (...args: string[]) => runCli(args, NOWHERE);
const here = (...args: string[]) => runHere(args, NOWHERE);

const NAMES = COMMANDS.map(({ name }) => name);

describe("help", () => {
  test("lists every command however it is requested", async () => {
    const answers = await Promise.all([cli(), cli("--help"), cli("help")]);
    for (const { status, out, err } of answers) {
      expect([status, err]).toEqual([0, ""]);
      for (const command of NAMES) expect(out).toContain(`  ${command} `);
    }
  });

  test("explains each command without a database", async () => {
    for (const command of NAMES) {
      const { status, out, err } = await here(...command.split(" "), "--help");
      expect([status, err]).toEqual([0, ""]);
      expect(out).toStartWith(`bun cli.ts ${command}`);
      expect(out).toContain("--json");
    }
  });
});

test("the documentation names existing commands only", async () => {
  for (const file of ["README.md", ...new Bun.Glob("docs/**/*.md").scanSync(ROOT)]) {
    const text = await Bun.file(join(ROOT, file)).text();
    for (const [, args = ""] of text.matchAll(/bun cli\.ts ([a-z-]+(?: [a-z-]+)?)/g)) {
      const isKnown = NAMES.some((name) => `${args} `.startsWith(`${name} `));
      expect({ file, args, isKnown }).toEqual({ file, args, isKnown: true });
    }
  }
});

describe("a group of commands", () => {
  test.each(["user", "bot", "room", "secrets"])(
    "%s alone, or with --help, lists them",
    async (group) => {
      const answers = await Promise.all([here(group), here(group, "--help"), here(group, "-h")]);
      for (const { status, out, err } of answers) {
        expect([status, err]).toEqual([0, ""]);
        const listed = NAMES.filter((command) => out.includes(`  ${command} `));
        expect(listed).toEqual(NAMES.filter((command) => command.startsWith(`${group} `)));
      }
    },
  );
});

describe("wrong usage exits with 2 and one helpful line", () => {
  test.each([
    ["an unknown command", ["fly"]],
    ["an unknown verb", ["user", "fly"]],
    ["an unknown verb with --help", ["user", "fly", "--help"]],
    ["an invite without an address", ["invite"]],
    ["an unknown option", ["user", "list", "--fast"]],
    ["a missing argument", ["user", "show"]],
    ["an extra argument", ["user", "show", "ada", "bob"]],
    ["a missing option", ["user", "create", "ada"]],
    ["an option without its value", ["user", "create", "ada", "--email"]],
  ])("%s", async (_, args) => {
    const { status, out, err } = await runCli(args, NOWHERE);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toMatch(/bun cli\.ts|Commands:|--help|needs/);
    const asJson = await runCli([...args, "--json"], NOWHERE);
    expect([asJson.status, asJson.out]).toEqual([2, ""]);
    expect(JSON.parse(asJson.err)).toEqual({ error: expect.any(String) });
  });

  test.each([
    ["audit --limit 0x10", "--limit needs a number from 1 to 10000."],
    ["audit --limit 1e3", "--limit needs a number from 1 to 10000."],
    [
      "audit --action room",
      "--action room is unknown: use one of: room.update, room.archive, room.unarchive, room.transfer, room.delete",
    ],
    [
      "audit --action room.remove",
      "--action room.remove is unknown: use one of: room.update, room.archive, room.unarchive, room.transfer, room.delete",
    ],
    [
      "audit --action nothing.",
      "--action nothing. is unknown: use one of: bot., invite., invite_link., job., provider., room., scheduled., settings., token., user., webhook.",
    ],
    ["uploads limit 0x10", "uploads limit needs a number of megabytes, such as 100 or 0.5."],
    ["invite-link create ada --days 0x2", "--days needs a number from 1 to 30."],
    ["mail set --host h --from a@b.org --port 0x19", "--port needs a number from 1 to 65535."],
  ])("%s", async (command, text) => {
    expect(await here(...command.split(" "))).toEqual({ status: 2, out: "", err: `${text}\n` });
  });

  test.each(["invite-link revoke", "jobs retry", "webhook delete"])(
    "%s with what is no id",
    async (command) => {
      const { status, out, err } = await here(...command.split(" "), "first");
      expect([status, out]).toEqual([2, ""]);
      expect(err).toBe("first is not an id: the list command shows the ids.\n");
    },
  );
});

describe("a failure exits with 1 and one line that says why", () => {
  test("an unreachable database", async () => {
    const { status, out, err } = await cli("user", "list");
    expect([status, out]).toEqual([1, ""]);
    expect(err).toMatch(/^[^\n]+DATABASE_URL[^\n]*\n$/);
    expect(err).not.toContain("hunter2");
  });

  test("a bad setting", async () => {
    const { status, err } = await runCli(["user", "list"], { ...NOWHERE, TRUST_PROXY: "yes" });
    expect(status).toBe(1);
    expect(err).toMatch(/^TRUST_PROXY [^\n]+\n$/);
  });
});

describe("the doctor", () => {
  test("runs all checks, reports which fail, and exits with 1", async () => {
    const { status, out } = await cli("doctor");
    expect(status).toBe(1);
    const lines = out.trim().split("\n");
    expect(lines.filter((line) => line.startsWith("WRONG"))).toHaveLength(1);
    expect(lines.find((line) => line.startsWith("WRONG"))).toMatch(/database.*DATABASE_URL/);
    expect(lines.filter((line) => line.startsWith("ok"))).toHaveLength(3);
    expect(out).not.toContain("hunter2");
  });

  test("prints JSON with --json", async () => {
    const { status, out } = await cli("doctor", "--json");
    expect(status).toBe(1);
    const checks: { check: string; ok: boolean; detail: string }[] = JSON.parse(out);
    expect(checks.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual(["database"]);
  });

  test("reports a data folder that it cannot write to", async () => {
    const env = { ...NOWHERE, DATA_DIR: "/dev/null/data" };
    const { status, out } = await runCli(["doctor"], env);
    expect(status).toBe(1);
    expect(out).toMatch(/WRONG +disk +\S/);
    expect(out).not.toContain("    at ");
  });
});
