import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";

/** What `docs/install.md` and `docs/security.md` have an operator write, written and read. */
const ROOT = join(import.meta.dir, "../..");
const read = (path: string) => Bun.file(join(ROOT, path)).text();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snug-install-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The only line of a page that has this, without its comment. */
async function lineOf(page: string, part: string): Promise<string> {
  const lines = (await read(page)).split("\n").filter((line) => line.includes(part));
  expect([part, lines.length]).toEqual([part, 1]);
  return (lines[0] ?? "").replace(/ +# .*$/, "");
}

const run = (line: string) => Bun.$`sh -ec ${line}`.cwd(folder).text();

/** As systemd and compose read such a file, as far as the pages use it. */
async function readVariables(file: string): Promise<Record<string, string>> {
  const text = await Bun.file(join(folder, file)).text();
  return Object.fromEntries(
    text
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s, 2)),
  );
}

test("systemd's variables are those that the service takes, in the file that the unit reads", async () => {
  const line = await lineOf("docs/install.md", "> /etc/snug.env");
  await run(line.replace("/etc/snug.env", "snug.env"));
  const config = readConfig(await readVariables("snug.env"));
  expect([config.baseUrl, config.trustProxy]).toEqual(["https://chat.example.org", 1]);
  const unit = await read("deploy/systemd/snug.service");
  expect(unit).toContain("EnvironmentFile=-/etc/snug.env");
  const copy = await lineOf("docs/install.md", "/etc/systemd/system/");
  expect(copy).toStartWith("cp deploy/systemd/snug.service ");
  // Where the page has it built.
  const [, built] = /^bun run build (\S+)/m.exec(await read("docs/install.md")) ?? [];
  expect(unit).toContain(`ExecStart=${built}/snug\n`);
});

describe.skipIf(!Bun.which("openssl"))("with openssl", () => {
  test("compose has all its variables, and the service takes the key", async () => {
    await run(await lineOf("docs/install.md", "POSTGRES_PASSWORD="));
    const variables = await readVariables(".env");
    const asked = [...(await read("deploy/compose.yaml")).matchAll(/\$\{(\w+)/g)];
    expect(new Set(asked.map(([, name]) => name))).toEqual(new Set(Object.keys(variables)));
    const { SECRET_KEY = "", DOMAIN, POSTGRES_PASSWORD = "" } = variables;
    expect(DOMAIN).toBe("chat.example.org");
    // It is a part of an address there.
    expect(POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{48}$/);
    expect(() => readConfig({ SECRET_KEY })).not.toThrow();
  });

  test("the key that security.md makes is one", async () => {
    const SECRET_KEY = (await run(await lineOf("docs/security.md", "openssl rand"))).trim();
    expect(() => readConfig({ SECRET_KEY })).not.toThrow();
  });
});
