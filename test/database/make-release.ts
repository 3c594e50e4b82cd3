import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { version } from "../../package.json";

/**
 * Writes down what this version leaves in a database, for `upgrade.test.ts` to start later versions
 * on: run it once, in the commit that is released, and commit what it makes.
 *
 * Usage: DATABASE_URL=postgres://… bun test/database/make-release.ts
 * The database must be empty, and of a PostgreSQL that the `pg_dump` in PATH can read. It makes
 * test/database/releases/<version>: the dump, the uploads it names, and what opens the accounts in it.
 */
const ROOT = join(import.meta.dir, "../..");
const { DATABASE_URL } = process.env;
if (!DATABASE_URL) throw new Error("Set DATABASE_URL to an empty database.");

const folder = join(import.meta.dir, "releases", version);
const dataDir = await mkdtemp(join(tmpdir(), "snug-release-"));
const secretKey = Buffer.alloc(32, version).toString("base64");

const { password } = await cli(["demo"]);
await cli(["bot", "create", "upgrader"]);
const scopes = ["--scope", "read:messages", "--scope", "write:messages"];
const { token } = await cli(["bot", "token", "upgrader", ...scopes]);
await cli(["invite", "invited@example.org"]);

await mkdir(folder, { recursive: true });
const dump = await output(["pg_dump", "--inserts", "--no-owner", "--no-privileges", DATABASE_URL]);
// Lines for psql alone, such as \restrict.
const plain = dump.replace(/^\\.*\n/gm, "");
await Bun.write(join(folder, "dump.sql.gz"), gzipSync(plain, { level: 9 }));
await cp(join(dataDir, "uploads"), join(folder, "uploads"), { recursive: true });
const opens = { secret_key: secretKey, username: "ada", password, token };
await Bun.write(join(folder, "release.json"), `${JSON.stringify(opens, null, 2)}\n`);
await rm(dataDir, { recursive: true });

async function cli(args: string[]) {
  return JSON.parse(await output([process.execPath, "cli.ts", ...args, "--json"]));
}

async function output(command: string[]): Promise<string> {
  const child = Bun.spawn(command, {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, SECRET_KEY: secretKey },
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command[0]} ended with ${child.exitCode}.`);
  return text;
}
