import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { requireRightKey } from "../admin/sealed-columns.ts";
import { readLastBackup, checkBackupFolder } from "../backup/scheduled.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { type SqlClient, useDatabase } from "../database/connect.ts";
import {
  checkServer,
  countKnownMigrations,
  describePendingMigrations,
  type Schema,
} from "../database/migrate.ts";
import { withDatabase, withServer } from "../database/open.ts";
import { checkPooler } from "../database/pooler.ts";
import { isPooled } from "../database/target.ts";
import { createMailer } from "../email/mailer.ts";
import { readMailFailure } from "../email/settings.ts";
import { explainError } from "../explain.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { smallestIdAt } from "../platform/ids.ts";
import { readSecretKey } from "../platform/secrets/secrets.ts";
import { LEASE_SECONDS } from "../presence/presence.ts";
import { createDiscovery } from "../providers/deps.ts";
import { reportSignIn } from "../providers/report.ts";
import { checkSubject, checkVapid } from "../push/vapid.ts";
import { readSearchStatus } from "../search/status.ts";
import { type Command, formatCount, formatTable, type Result } from "./command.ts";
import { readKeyOf } from "./secrets.ts";

type Check = { check: string; ok: boolean; detail: string };

const LOW_DISK_BYTES = 1024 ** 3;

export const doctor: Command = {
  name: "doctor",
  summary: "check settings, disk, database, mail, push and sign-in, and report problems",
  effect: "operate",
  options: {
    load: { help: "instead, show how busy the service is, and how close to its limits" },
  },
  async run({ config, options, misspelt }) {
    if (options.load) return reportLoad(config);
    let schema: Schema | null = null;
    const database = await runCheck("database", () =>
      checkDatabase(config, (schemaState) => {
        schema = schemaState;
      }),
    );
    const pending = describeMissingSchema(schema);
    const isCurrent = schema !== null && pending === null;
    const checks = [
      await runCheck("settings", async () => checkSettings(config, misspelt)),
      await runCheck("disk", () => checkDisk(config)),
      await runCheck("secret key", () => checkSecretKey(config, isCurrent)),
      database,
    ];
    if (pending !== null) checks.push({ check: "schema", ok: true, detail: pending });
    // The other checks read tables of the current schema.
    for (const [name, check] of isCurrent ? CHECKS_OF_CONTENT : []) {
      checks.push(await runCheck(name, () => check(config)));
    }
    const hasFailed = checks.some((check) => !check.ok);
    const lines = checks.map(({ check, ok, detail }) => [ok ? "ok" : "WRONG", check, detail]);
    return { json: checks, text: formatTable(lines), failed: hasFailed };
  },
};

/** @param run returns a description of the result, or throws what is wrong */
async function runCheck(check: string, run: () => Promise<string>): Promise<Check> {
  try {
    return { check, ok: true, detail: await run() };
  } catch (error) {
    return { check, ok: false, detail: explainError(error) };
  }
}

function checkSettings(config: Config, misspelt: string[]): string {
  const https = config.baseUrl?.startsWith("https:");
  const note = https ? "" : "; cookies are not marked Secure, since BASE_URL is not https";
  if (misspelt.length > 0) throw new Error(misspelt.join(" "));
  return `BASE_URL ${baseUrlOf(config)}${note}`;
}

/** Creates nothing, so that the command leaves nothing behind in a wrong folder. */
async function checkDisk({ dataDir }: Config): Promise<string> {
  const folder = await findExistingFolder(dataDir);
  if (!(await stat(folder)).isDirectory())
    throw new Error(`${folder} is not a folder: set DATA_DIR.`);
  await access(folder, constants.W_OK).catch(() => {
    throw new Error(`${folder} cannot be written: set DATA_DIR to a folder of yours.`);
  });
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const gigabytes = `${(free / 1024 ** 3).toFixed(1)} GiB free in ${dataDir}`;
  if (free < LOW_DISK_BYTES) throw new Error(`Only ${gigabytes}. Free some space.`);
  return gigabytes;
}

async function findExistingFolder(folder: string): Promise<string> {
  const stats = await stat(folder).catch(() => null);
  return stats || folder === dirname(folder) ? folder : findExistingFolder(dirname(folder));
}

/** Compares the key with the secrets in the database, if it is readable. Does not create a key. */
async function checkSecretKey(config: Config, isReadable: boolean): Promise<string> {
  const { dataDir, secretKey } = config;
  const keys = await readSecretKey(dataDir, secretKey);
  if (isReadable) await withDatabase(config, ({ db }) => requireRightKey(db, keys ?? []));
  if (keys === null) return `none yet: the first start creates one in ${dataDir}`;
  if (secretKey) return "from SECRET_KEY";
  const isOpen = ((await stat(dataDir)).mode & 0o007) !== 0;
  const note = isOpen ? `; other users can list ${dataDir}: chmod 700` : "";
  return `in the data folder; keep a copy with your backups${note}`;
}

/** What the schema lacks for the other checks; null if nothing, or if it could not be read. */
function describeMissingSchema(schema: Schema | null): string | null {
  if (schema === null || (schema.isThere && schema.pending === 0)) return null;
  return `${describePendingMigrations(schema.pending)} The other checks need them.`;
}

/** @param onSchema called with the state of the schema, even if it has a problem */
async function checkDatabase(config: Config, onSchema: (schema: Schema) => void): Promise<string> {
  return withServer(config, async (target, _, schema) => {
    onSchema(schema);
    const server = await useDatabase(
      target,
      async ({ sql }) => {
        await checkServer(sql);
        await checkPooler(target);
        return readServer(sql);
      },
      2,
    );
    if (isPooled(target)) checkPooledLimits(server);
    if (!server.is_durable) {
      throw new Error("fsync or synchronous_commit is off: an acknowledged message can be lost.");
    }
    if (schema.isThere && !server.can_write) {
      throw new Error(
        "The database user is read-only, or the server is a standby: the service needs the user that owns the tables, on the primary.",
      );
    }
    const kind = config.databaseUrl ? "" : "embedded ";
    const total = formatCount(countKnownMigrations(), "migration");
    const connections = describeConnections(server, config);
    return `${kind}PostgreSQL ${server.version}, ${schema.appliedCount} of ${total}; ${connections}`;
  });
}

type Server = {
  version: string;
  /** Whether commits are flushed to disk before they are confirmed. */
  is_durable: boolean;
  /** 0 means no limit. */
  statement_seconds: number;
  /** False for a read-only user and on a standby; null without Snug's tables. */
  can_write: boolean | null;
  max: number;
  used: number;
};

async function readServer(sql: SqlClient): Promise<Server> {
  const [row] = await sql<[Server]>`
    select current_setting('server_version') as version,
      current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as is_durable,
      extract(epoch from current_setting('statement_timeout')::interval)::int as statement_seconds,
      has_table_privilege(to_regclass('rooms'), 'insert') and not pg_is_in_recovery() as can_write,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max,
      -- pg_stat_activity would only show a user's own connections in full.
      (select sum(numbackends)::int from pg_stat_database) as used`;
  return row;
}

function checkPooledLimits({ statement_seconds }: Server): void {
  if (statement_seconds > 0) return;
  throw new Error(
    "A pooler ignores the time limits of a connection, and the database has none of its own (statement_timeout is 0). As its owner, run: alter database <name> set statement_timeout = '600s', and the same with lock_timeout = '5s' and idle_in_transaction_session_timeout = '60s'.",
  );
}

function describeConnections({ max, used }: Server, { databasePool }: Config): string {
  if (databasePool > max) {
    throw new Error(
      `Each process opens up to ${databasePool} connections (DATABASE_POOL), but PostgreSQL allows ${max}: raise max_connections or lower DATABASE_POOL.`,
    );
  }
  const processes = formatCount(Math.floor(max / databasePool), "process", "processes");
  return `${used} of ${max} connections are in use, DATABASE_POOL=${databasePool} allows ${processes}`;
}

/** Checks the time of the newest backup, and whether the service can write the next one. */
function checkBackups(config: Config): Promise<string> {
  return withDatabase(config, async ({ sql }) => {
    const { backup } = config;
    if (backup) await checkBackupFolder(backup.folder);
    const at = await readLastBackup(sql);
    if (at === null) {
      return backup
        ? `none was taken yet; ${backup.folder} can be written`
        : "none was taken yet: set BACKUP_DIR, or run backup";
    }
    const hours = Math.floor((Date.now() - at.getTime()) / 3_600_000);
    const detail = `the newest is of ${at.toISOString()}, ${formatCount(hours, "hour")} ago`;
    if (backup && hours > 2 * backup.everyHours) {
      throw new Error(`${detail}, but BACKUP_HOURS is ${backup.everyHours}: see the failed jobs.`);
    }
    return detail;
  });
}

function checkMail(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    const mailer = createMailer(db, readKeyOf(config));
    const server = await mailer.verify();
    const failure = await readMailFailure(db);
    if (failure) {
      const mails = formatCount(failure.waiting, "mail");
      throw new Error(
        `no mail could be sent since ${failure.since}, ${mails} waiting: ${failure.error} (signing in to ${server} works now: send a test mail)`,
      );
    }
    return server === null
      ? "not configured: administrators have to pass on invite links themselves"
      : `signed in to ${server}`;
  });
}

/** Decrypts the key for push services, and checks the contact sent to them. */
function checkPush(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    await checkVapid(db, readKeyOf(config));
    if (!config.baseUrl?.startsWith("https:")) {
      return "the key is valid, but browsers need https for notifications: set BASE_URL";
    }
    const contact = { baseUrl: config.baseUrl, subject: config.vapidSubject };
    return `the key is valid, the contact is ${await checkSubject(db, contact)}`;
  });
}

function checkSearch(config: Config): Promise<string> {
  return withDatabase(config, async ({ sql }) => {
    const { rooms, incomplete_rooms, lag } = await readSearchStatus(sql);
    const behind = lag === 0 ? "" : `; ${formatCount(lag, "event")} to index`;
    return incomplete_rooms === 0
      ? `${formatCount(rooms, "room")} indexed${behind}`
      : `older messages of ${incomplete_rooms} of ${formatCount(rooms, "room")} are being indexed${behind}`;
  });
}

/** Tests the identity providers, and finds passkeys created for another host. */
function checkSignIn(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    const egress = createEgress({ allow: config.egressAllow });
    const deps = { egress, discovery: createDiscovery(), readKey: readKeyOf(config) };
    const baseUrl = baseUrlOf(config);
    const { providers, problems } = await reportSignIn(db, { ...deps, baseUrl });
    if (problems.length > 0) throw new Error(problems.join(" "));
    return providers === 0
      ? "passwords and passkeys"
      : `${formatCount(providers, "provider")} tested`;
  });
}

const CHECKS_OF_CONTENT: [string, (config: Config) => Promise<string>][] = [
  ["backups", checkBackups],
  ["mail", checkMail],
  ["push", checkPush],
  ["search", checkSearch],
  ["sign-in", checkSignIn],
];

/** How long to count commits. PostgreSQL updates its statistics about once a second. */
const SAMPLE_MS = 3_000;
/** Measured on two cores (docs/scaling.md): only orders of magnitude are comparable. */
const MEASURED_LIMITS = {
  /** Commits with NOTIFY, which PostgreSQL serializes. Under load one commit contains many messages. */
  messagesASecond: 700,
  peopleOnAnInstance: 10_000,
};
/** The share of a limit above which to act, since peak hours may use the rest. */
const NEAR = 0.5;

function reportLoad(config: Config): Promise<Result> {
  return withDatabase(config, async ({ sql }) => {
    const before = await countCommits(sql);
    const from = performance.now();
    await Bun.sleep(SAMPLE_MS);
    const commits = ((await countCommits(sql)) - before) / ((performance.now() - from) / 1_000);
    const load = await readLoad(sql, smallestIdAt(Date.now() - 3_600_000));
    const peak = load.busiest_minute / 60;
    const people = load.people_connected / Math.max(load.instances, 1);
    const parts = [
      part("messages", peak / MEASURED_LIMITS.messagesASecond, [
        `${load.messages} in the last hour, in its busiest minute ${peak.toFixed(1)} a second`,
        "give PostgreSQL a disk that flushes faster",
      ]),
      part("commits", 0, [`${commits.toFixed(0)} a second, those that only read included`]),
      part("people", people / MEASURED_LIMITS.peopleOnAnInstance, [
        `${load.people_connected} connected to ${load.instances} instances`,
        "add an instance",
      ]),
      part("connections", load.connections / load.max_connections, [
        `${load.connections} of ${load.max_connections} of PostgreSQL are in use`,
        "lower DATABASE_POOL, raise max_connections, or use a pooler",
      ]),
      part("notifications", load.notification_queue, [
        `${(load.notification_queue * 100).toFixed(0)}% of PostgreSQL's queue is full`,
        "find the session that listens and does not read (pg_stat_activity)",
      ]),
      part("sizes", 0, [
        `${gigabytes(load.database_bytes)} of database with about ${load.all_messages} messages, ` +
          `${load.uploads} uploads of ${gigabytes(load.uploads_bytes)}`,
      ]),
    ];
    const json = { ...load, commits_a_second: commits, parts };
    const lines = parts.map(({ part, used, detail }) => [part, used, detail]);
    return { json, text: formatTable(lines) };
  });
}

/** @param share of the measured limit: 1 means at the limit */
function part(name: string, share: number, [state = "", advice]: string[]) {
  const detail = share >= NEAR && advice ? `${state}: ${advice}` : state;
  return { part: name, used: advice ? `${Math.round(share * 100)}%` : "", detail };
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(2)} GiB`;
}

type Load = {
  messages: number;
  busiest_minute: number;
  people_connected: number;
  instances: number;
  connections: number;
  max_connections: number;
  database_bytes: number;
  all_messages: number;
  uploads: number;
  uploads_bytes: number;
  /** The fill level of the NOTIFY queue, from 0 to 1. */
  notification_queue: number;
};

/** @param since the smallest possible id of a message from the last hour */
async function readLoad(sql: SqlClient, since: string): Promise<Load> {
  const [row] = await sql<[Load]>`
    with minutes as (
      select count(*)::int as count from messages
      where id >= ${since}::uuid group by date_trunc('minute', created_at)
    ), alive as (
      select id from instances where heartbeat_at > clock_timestamp() - ${LEASE_SECONDS} * interval '1 second'
    )
    select coalesce((select sum(count) from minutes), 0)::int as messages,
      coalesce((select max(count) from minutes), 0)::int as busiest_minute,
      (select count(distinct user_id)::int from presence
        where instance_id in (select id from alive)) as people_connected,
      (select count(*)::int from alive) as instances,
      (select sum(numbackends)::int from pg_stat_database) as connections,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max_connections,
      pg_database_size(current_database())::float8 as database_bytes,
      (select greatest(reltuples, 0)::float8 from pg_class
        where oid = 'messages'::regclass) as all_messages,
      count(*)::int as uploads, coalesce(sum(size_bytes), 0)::float8 as uploads_bytes,
      pg_notification_queue_usage() as notification_queue
    from blobs`;
  return row;
}

async function countCommits(sql: SqlClient): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select xact_commit::float8 as count from pg_stat_database where datname = current_database()`;
  return row?.count ?? 0;
}
