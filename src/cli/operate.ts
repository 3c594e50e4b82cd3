import { access, constants, mkdir, statfs } from "node:fs/promises";
import { baseUrlOf, type Config } from "../config.ts";
import { countApplied, countKnownMigrations } from "../database/migrate.ts";
import { withDatabase } from "../database/open.ts";
import {
  canWrite,
  readConnections,
  readServerState,
  readStatementTimeout,
} from "../database/statements.ts";
import { createMailer } from "../email/mailer.ts";
import { explainError } from "../explain.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { loadSecretKey } from "../platform/secrets.ts";
import { createDiscovery } from "../providers/deps.ts";
import { reportSignIn } from "../providers/report.ts";
import { checkVapid } from "../push/vapid.ts";
import { readSearchStatus } from "../search/status.ts";
import { reportLoad } from "./load.ts";
import { readKeyOf } from "./secrets.ts";
import { type Command, formatTable } from "./command.ts";

const migrate: Command = {
  name: "migrate",
  summary: "apply pending database migrations",
  effect: "operate",
  run: ({ config }) =>
    withDatabase(config, async ({ sql }, { migrated }) => {
      if (config.databaseListenUrl !== null && (await readStatementTimeout(sql)) === 0) {
        throw new Error(
          "A pooler takes no time limits of a connection, and the database has none of its own. As its owner, run: alter database <name> set statement_timeout = '600s', and the same with lock_timeout = '5s' and idle_in_transaction_session_timeout = '60s'.",
        );
      }
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
  summary: "check settings, disk, database, mail, push and sign-in, and report problems",
  effect: "operate",
  options: {
    load: { help: "instead, show how busy the service is, and how close to its limits" },
  },
  async run({ config, options }) {
    if (options.load) return reportLoad(config);
    const checks = [
      await runCheck("settings", async () => checkSettings(config)),
      await runCheck("disk", () => checkDisk(config)),
      await runCheck("secret key", () => checkSecretKey(config)),
      await runCheck("database", () => checkDatabase(config)),
    ];
    // The settings of these checks are in the database.
    if (checks.at(-1)?.ok) {
      checks.push(await runCheck("mail", () => checkMail(config)));
      checks.push(await runCheck("push", () => checkPush(config)));
      checks.push(await runCheck("search", () => checkSearch(config)));
      checks.push(await runCheck("sign-in", () => checkSignIn(config)));
    }
    const failed = checks.some((check) => !check.ok);
    const lines = checks.map(({ check, ok, detail }) => [ok ? "ok" : "WRONG", check, detail]);
    return { json: checks, text: formatTable(lines), failed };
  },
};

/** @param run returns what it found, or throws what is wrong */
async function runCheck(check: string, run: () => Promise<string>): Promise<Check> {
  try {
    return { check, ok: true, detail: await run() };
  } catch (error) {
    return { check, ok: false, detail: explainError(error) };
  }
}

function checkSettings(config: Config): string {
  const https = config.baseUrl?.startsWith("https:");
  const note = https ? "" : "; cookies are not marked Secure, since BASE_URL is not https";
  return `BASE_URL ${baseUrlOf(config)}${note}`;
}

async function checkDisk({ dataDir }: Config): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  await access(dataDir, constants.W_OK);
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const gigabytes = `${(free / 1024 ** 3).toFixed(1)} GiB free in ${dataDir}`;
  if (free < LOW_DISK_BYTES) throw new Error(`Only ${gigabytes}. Free some space.`);
  return gigabytes;
}

async function checkSecretKey(config: Config): Promise<string> {
  await loadSecretKey(config.dataDir, config.secretKey);
  return config.secretKey ? "from SECRET_KEY" : "in the data folder; keep a copy with your backups";
}

async function checkDatabase(config: Config): Promise<string> {
  return withDatabase(config, async ({ sql }) => {
    const { version, isDurable } = await readServerState(sql);
    if (!isDurable) {
      throw new Error("fsync or synchronous_commit is off: an acknowledged message can be lost.");
    }
    if (!(await canWrite(sql))) {
      throw new Error(
        "The database's user may only read, or the server is a standby: the service needs the user that owns the tables, on the primary.",
      );
    }
    const { max, used } = await readConnections(sql);
    if (config.databasePool > max) {
      throw new Error(
        `Each process opens up to ${config.databasePool} connections (DATABASE_POOL), but PostgreSQL allows ${max}: raise max_connections or lower DATABASE_POOL.`,
      );
    }
    const applied = await countApplied(sql);
    const kind = config.databaseUrl ? "" : "embedded ";
    const processes = plural(Math.floor(max / config.databasePool), "process", "processes");
    return (
      `${kind}PostgreSQL ${version}, ${applied} of ${plural(countKnownMigrations(), "migration")}; ` +
      `${used} of ${max} connections are in use, DATABASE_POOL=${config.databasePool} allows ${processes}`
    );
  });
}

/** Connects to the mail server and signs in, without sending. */
function checkMail(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    const mailer = createMailer(db, readKeyOf(config));
    const where = await mailer.verify();
    return where === null
      ? "not configured: administrators have to pass on invite links themselves"
      : `signed in to ${where}`;
  });
}

/** Unseals the key that identifies this service to push services. */
function checkPush(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    await checkVapid(db, readKeyOf(config));
    return config.baseUrl?.startsWith("https:")
      ? "the key is valid"
      : "the key is valid, but browsers need https for notifications: set BASE_URL";
  });
}

/** Says how far the search index is; while the service is stopped, it only falls behind. */
function checkSearch(config: Config): Promise<string> {
  return withDatabase(config, async ({ sql }) => {
    const { rooms, incomplete_rooms, lag } = await readSearchStatus(sql);
    const behind = lag === 0 ? "" : `; ${plural(lag, "event")} to index`;
    return incomplete_rooms === 0
      ? `${plural(rooms, "room")} indexed${behind}`
      : `older messages of ${incomplete_rooms} of ${plural(rooms, "room")} are being indexed${behind}`;
  });
}

/** Tests the providers, and finds passkeys that another host has left behind. */
function checkSignIn(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    const egress = createEgress({ allow: config.egressAllow });
    const deps = { egress, discovery: createDiscovery(), readKey: readKeyOf(config) };
    const baseUrl = baseUrlOf(config);
    const { providers, problems } = await reportSignIn(db, { ...deps, baseUrl });
    if (problems.length > 0) throw new Error(problems.join(" "));
    return providers === 0 ? "passwords and passkeys" : `${plural(providers, "provider")} tested`;
  });
}

function plural(count: number, word: string, many = `${word}s`): string {
  return `${count} ${count === 1 ? word : many}`;
}

export const operateCommands: Command[] = [migrate, doctor];
