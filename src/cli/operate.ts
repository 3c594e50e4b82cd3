import { access, constants, mkdir, statfs } from "node:fs/promises";
import { baseUrlOf, type Config } from "../config.ts";
import { countApplied, knownMigrations } from "../database/migrate.ts";
import { withDatabase } from "../database/open.ts";
import { readConnections } from "../database/pools.ts";
import { createMailer } from "../email/mailer.ts";
import { explain } from "../explain.ts";
import { loadSecretKey } from "../platform/secrets.ts";
import { checkVapid } from "../push/vapid.ts";
import { readKeyOf } from "./secrets.ts";
import { type Command, table } from "./command.ts";

const migrate: Command = {
  name: "migrate",
  usage: "",
  summary: "bring the database's schema up to date",
  words: 0,
  run: ({ config }) =>
    withDatabase(config, async ({ sql }, { migrated }) => {
      const applied = await countApplied(sql);
      const text =
        migrated === 0 ? "The schema is up to date." : `Applied ${plural(migrated, "migration")}.`;
      return { json: { applied: migrated, total: applied }, text };
    }),
};

type Check = { check: string; ok: boolean; detail: string };

const LOW_DISK_BYTES = 1024 ** 3;

const doctor: Command = {
  name: "doctor",
  usage: "",
  summary: "check settings, disk, database, mail and push, and say what is wrong",
  words: 0,
  async run({ config }) {
    const checks = [
      await attempt("settings", async () => settings(config)),
      await attempt("disk", () => disk(config)),
      await attempt("secret key", () => secretKey(config)),
      await attempt("database", () => database(config)),
    ];
    // What it needs is in the database.
    if (checks.at(-1)?.ok) {
      checks.push(await attempt("mail", () => mail(config)));
      checks.push(await attempt("push", () => push(config)));
    }
    const failed = checks.some((check) => !check.ok);
    const lines = checks.map(({ check, ok, detail }) => [ok ? "ok" : "WRONG", check, detail]);
    return { json: checks, text: table(lines), failed };
  },
};

/** A check answers with what it found, or throws what is wrong. */
async function attempt(check: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { check, ok: true, detail: await look() };
  } catch (error) {
    return { check, ok: false, detail: explain(error) };
  }
}

function settings(config: Config): string {
  const https = config.baseUrl?.startsWith("https:");
  const note = https ? "" : "; cookies are not marked Secure, since BASE_URL is not https";
  return `BASE_URL ${baseUrlOf(config)}${note}`;
}

async function disk({ dataDir }: Config): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  await access(dataDir, constants.W_OK);
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const gigabytes = `${(free / 1024 ** 3).toFixed(1)} GiB free in ${dataDir}`;
  if (free < LOW_DISK_BYTES) throw new Error(`Only ${gigabytes}. Make room.`);
  return gigabytes;
}

async function secretKey(config: Config): Promise<string> {
  await loadSecretKey(config.dataDir, config.secretKey);
  return config.secretKey ? "from SECRET_KEY" : "in the data folder; keep a copy with your backups";
}

async function database(config: Config): Promise<string> {
  return withDatabase(config, async ({ sql }) => {
    const [row] = await sql<{ version: string; durable: boolean }[]>`
      select current_setting('server_version') as version,
        current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as durable`;
    if (!row?.durable) {
      throw new Error("fsync or synchronous_commit is off: an acknowledged message can be lost.");
    }
    const { max, used } = await readConnections(sql);
    if (config.databasePool > max) {
      throw new Error(
        `Each process opens up to ${config.databasePool} connections (DATABASE_POOL), but PostgreSQL takes ${max}: raise max_connections or lower DATABASE_POOL.`,
      );
    }
    const applied = await countApplied(sql);
    const kind = config.databaseUrl ? "" : "embedded ";
    const processes = plural(Math.floor(max / config.databasePool), "process", "processes");
    return (
      `${kind}PostgreSQL ${row.version}, ${applied} of ${plural(knownMigrations(), "migration")}; ` +
      `${used} of ${max} connections are taken, DATABASE_POOL=${config.databasePool} leaves room for ${processes}`
    );
  });
}

/** Connects to the mail server and signs in, and sends nothing. */
function mail(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    const mailer = createMailer(db, readKeyOf(config), baseUrlOf(config));
    const where = await mailer.verify();
    return where === null
      ? "not set up: no mail goes out, and administrators hand on links themselves"
      : `${where} lets us in`;
  });
}

/** Whether the key opens with which push services know us. */
function push(config: Config): Promise<string> {
  return withDatabase(config, async ({ sql }) => {
    await checkVapid(sql, readKeyOf(config));
    return config.baseUrl?.startsWith("https:")
      ? "the key is there"
      : "the key is there, but browsers take notifications over https alone: set BASE_URL";
  });
}

function plural(count: number, word: string, many = `${word}s`): string {
  return `${count} ${count === 1 ? word : many}`;
}

export const operateCommands: Command[] = [migrate, doctor];
