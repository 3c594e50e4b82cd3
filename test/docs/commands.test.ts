import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { runCommand } from "../../src/cli/run.ts";
import { emptyDatabase, freshDatabase, urlOf } from "../support/database.ts";

/** The commands of pages as they are there, run one after the other. */
const DOCS = join(import.meta.dir, "../../docs");
setDefaultTimeout(60_000);
const SPACES = /\s+/;

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snug-commands-"));
  env = { DATA_DIR: join(folder, "data"), DATABASE_URL: urlOf(await freshDatabase()) };
});
afterAll(() => rm(folder, { recursive: true }));

/** Those without a placeholder for a name. */
async function commandsOf(page: string): Promise<string[]> {
  const text = await Bun.file(join(DOCS, `${page}.md`)).text();
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .flatMap((line) => /^bun cli\.ts ([^#]+)/.exec(line)?.[1]?.trim() ?? [])
    .filter((line) => !line.includes("<"));
}

/** Runs it, in the folder of this test. @returns what it printed, and its status */
async function run(line: string) {
  const said: string[] = [];
  const add = (text: string) => void said.push(text);
  const argv = line
    .trim()
    .split(SPACES)
    .map((word) => (/^(?:snug\.tar|backup\.key)/.test(word) ? join(folder, word) : word));
  const status = await runCommand(argv, { out: add, err: add, read: async () => "" }, env);
  return { status, said: said.join("\n") };
}

async function runAll(lines: string[]): Promise<void> {
  for (const line of lines) {
    const { status, said } = await run(line);
    // The tests' PostgreSQL does not flush, which `doctor` finds.
    const isFine = status === 0 || said.match(/WRONG.*/g)?.every((one) => one.includes("fsync"));
    expect([line, isFine ? "" : said]).toEqual([line, ""]);
  }
}

test("of administration, search, sign-in, secrets and health", async () => {
  // The one who stays when Ada is deactivated.
  await runAll(["user create root --email root@example.org --admin"]);
  const pages = ["administer", "search", "sign-in", "security", "operate", "scaling"];
  const lines = (await Promise.all(pages.map(commandsOf))).flat();
  expect(lines.length).toBeGreaterThan(15);
  const moves = /^database move/;
  await runAll(
    lines.filter((line) => !moves.test(line)).map((line) => line.replace("--room name", "")),
  );
});

test("of backup and restore, with and without a key, and of a move", async () => {
  const identity = await generateX25519Identity();
  await Bun.write(join(folder, "backup.key"), `${identity}\n`);
  const recipient = await identityToRecipient(identity);
  const lines = (await commandsOf("backup")).map((line) => line.replace("age1…", recipient));
  const begins = (word: string) => lines.filter((line) => line.startsWith(word));
  await runAll([...begins("backup ")]);
  const restores = begins("restore ");
  expect([lines.length, restores.length]).toEqual([6, 2]);
  for (const line of restores) {
    env = {
      DATA_DIR: join(folder, line.length.toString()),
      DATABASE_URL: urlOf(await emptyDatabase()),
    };
    await runAll([line]);
  }
  const [move = ""] = begins("database move");
  await runAll([move.replace(/postgres:\S+/, urlOf(await emptyDatabase()))]);
});
