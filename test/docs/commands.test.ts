import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import postgres from "postgres";
import { runCommand } from "../../src/cli/run.ts";
import { loadSecretKey } from "../../src/platform/secrets/secrets.ts";
import { emptyDatabase, freshDatabase, urlOf } from "../support/database.ts";
import { CLIENT_SECRET, Idp } from "../support/idp.ts";

/** The commands of pages as they are there, run one after the other. */
const DOCS = join(import.meta.dir, "../../docs");
setDefaultTimeout(120_000);
const SPACES = /\s+/;

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snug-commands-"));
  env = { DATA_DIR: join(folder, "data"), DATABASE_URL: urlOf(await freshDatabase()) };
  // As the first start of the service does.
  await loadSecretKey(env.DATA_DIR ?? "", null);
});
afterAll(() => rm(folder, { recursive: true }));

/** Those without a placeholder for a name. @param values what some placeholders stand for */
async function commandsOf(page: string, values: Record<string, string> = {}): Promise<string[]> {
  const text = await Bun.file(join(DOCS, `${page}.md`)).text();
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .flatMap((line) => /^(?:echo \S+ \| )?bun cli\.ts ([^#]+)/.exec(line)?.[1]?.trim() ?? [])
    .map((line) => line.replace(/<([a-z]+)>/g, (whole, name) => values[name] ?? whole))
    .filter((line) => !line.includes("<"));
}

/** Runs it, in the folder of this test. @returns what it printed, and its status */
async function run(line: string) {
  const said: string[] = [];
  const add = (text: string) => void said.push(text);
  const argv = line
    .trim()
    .split(SPACES)
    .map((word) => word.replaceAll('"', ""))
    .map((word) => (/^(?:snug\.tar|backup\.key)/.test(word) ? join(folder, word) : word));
  const status = await runCommand(
    argv,
    { out: add, err: add, read: async () => CLIENT_SECRET },
    env,
  );
  return { status, said: said.join("\n") };
}

async function runAll(lines: string[]): Promise<void> {
  for (const line of lines) {
    const { status, said } = await run(line);
    // The tests' PostgreSQL does not flush, which `doctor` finds.
    const isFine = status === 0 || said.match(/WRONG.*/g)?.every((item) => item.includes("fsync"));
    expect([line, isFine ? "" : said]).toEqual([line, ""]);
  }
}

test("of administration, search, sign-in, secrets and health", async () => {
  // The one who stays when Ada is deactivated.
  await runAll(["user create root --email root@example.org --admin"]);
  const pages = ["administer", "search", "sign-in", "security", "operate", "scaling"];
  const lines = (await Promise.all(pages.map((page) => commandsOf(page)))).flat();
  expect(lines.length).toBeGreaterThan(15);
  const moves = /^database move/;
  await runAll(
    lines.filter((line) => !moves.test(line)).map((line) => line.replace("--room name", "")),
  );
});

test("of providers, and of who has lost a factor or a password", async () => {
  const idp = await Idp.start();
  try {
    env.EGRESS_ALLOW = "127.0.0.1";
    const values = { slug: "company", username: "root", issuer: idp.issuer, id: "snug" };
    const lines = await commandsOf("sign-in", values);
    const [add = ""] = lines.filter((line) => line.startsWith("oidc add "));
    const others = lines.filter((line) => line !== add);
    expect(others.filter((line) => /oidc test|user set-password/.test(line)).length).toBe(2);
    await runAll([add, ...others]);
  } finally {
    await idp.stop();
  }
});

test("of your own PostgreSQL: the role and the database of operate.md are enough", async () => {
  const target = await emptyDatabase();
  const admin = postgres({ ...target, max: 1, onnotice: () => {} });
  const name = `docs_${process.pid}`;
  const statements = async (page: string) =>
    [...(await Bun.file(join(DOCS, `${page}.md`)).text()).matchAll(/^ *```sql\n(.*?)^ *```$/gms)]
      .flatMap(([, block = ""]) => block.trim().split("\n"))
      .map((line) => line.trim().replace(/\bsnug\b/g, name));
  try {
    const made = await statements("operate");
    expect(made.map((line) => line.split(" ", 2).join(" "))).toEqual([
      "create role",
      "create database",
    ]);
    for (const line of made) await admin.unsafe(line);
    const owned = { ...target, database: name, username: name };
    const [move = ""] = (await commandsOf("operate")).filter((line) => line.startsWith("database"));
    await runAll([move.replace(/postgres:\S+/, urlOf(owned))]);
    // For a pooler, which takes no settings of a connection.
    for (const line of await statements("database")) await admin.unsafe(line);
    const sql = postgres({ ...owned, max: 1 });
    const [limit] = await sql`show statement_timeout`;
    const [moved] = await sql`select count(*)::int as people from users`;
    await sql.end();
    expect([limit?.statement_timeout, moved?.people > 0]).toEqual(["10min", true]);
  } finally {
    await admin.unsafe(`drop database if exists ${name}`);
    await admin.unsafe(`drop role if exists ${name}`);
    await admin.end();
  }
});

test("of backup and restore, with and without a key", async () => {
  const identity = await generateX25519Identity();
  await Bun.write(join(folder, "backup.key"), `${identity}\n`);
  const recipient = await identityToRecipient(identity);
  const lines = (await commandsOf("backup")).map((line) => line.replace("age1…", recipient));
  const begins = (word: string) => lines.filter((line) => line.startsWith(word));
  await runAll([...begins("backup ")]);
  const restores = begins("restore ");
  expect([lines.length, restores.length]).toEqual([5, 2]);
  for (const line of restores) {
    env = {
      DATA_DIR: join(folder, line.length.toString()),
      DATABASE_URL: urlOf(await emptyDatabase()),
    };
    await runAll([line]);
  }
});
