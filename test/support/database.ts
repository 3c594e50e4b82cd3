import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import type { Target } from "../../src/database/target.ts";
import type { EmbeddedPostgres } from "../../src/embedded-postgres/start.ts";
import { createJobs, type JobDeps } from "../../jobs/list.ts";
import { listPeriods } from "../../src/jobs-queue/schedule.ts";
import { migrateDatabase } from "../../src/database/migrate.ts";
import { isAlive } from "./leftovers.ts";
import { findRoom, runId } from "./memory.ts";

type Connection = EmbeddedPostgres["connection"];

const ROOT = join(import.meta.dir, "../..");
/** One cluster for all workers of all runs of this checkout; the last run to leave stops it. */
const CLUSTER = join(findRoom(), `snug-test-${hash(ROOT)}`);
/** Any number of our own: workers make the template one after the other. */
const LOCK = 5_733_599;

let cluster: Promise<Connection> | undefined;
let template: Promise<string> | undefined;
let counter = 0;
/** Databases that nobody uses any more. */
const released: string[] = [];

/** A database of its own, as the migrations leave it, cloned from a template. */
export function freshDatabase(): Promise<Target & object> {
  return createDatabase((...on) => {
    template ??= ensureTemplate(...on);
    // The next who asks makes another attempt.
    template.catch(() => (template = undefined));
    return template;
  });
}

/** A database of its own with nothing in it. */
export function emptyDatabase(): Promise<Target & object> {
  return createDatabase(async () => "template0");
}

/** Gives a database back: it is dropped with the next that is asked for, or when the run is over. */
export function releaseDatabase({ database = "" }: Target & { database?: string }): void {
  released.push(database);
}

async function createDatabase(findTemplate: typeof ensureTemplate): Promise<Target & object> {
  const { TEST_DATABASE_URL: given } = process.env;
  cluster ??= given ? Promise.resolve(connectionOf(new URL(given))) : findCluster();
  const connection = await cluster;
  // A connection that stays open would keep the process, and one that idles may be closing when it is used.
  const maintenance = postgres({ ...connection, database: "postgres", max: 1, onnotice: () => {} });
  try {
    for (const name of released.splice(0)) await drop(maintenance, name);
    const from = await findTemplate(maintenance, connection);
    // By process, so that two runs at once do not take each other's.
    const name = `test_${process.pid}_${counter++}`;
    await drop(maintenance, name);
    const [{ isOld }] = await maintenance<[{ isOld: boolean }]>`
      select current_setting('server_version_num')::int < 150000 as "isOld"`;
    // Half the work of the other strategy, which writes every page to the log. 14 has no other.
    const strategy = isOld ? "" : "strategy file_copy";
    await maintenance.unsafe(`create database ${name} template ${from} ${strategy}`);
    return { ...connection, database: name };
  } finally {
    await maintenance.end();
  }
}

/** Another server, whose user may create databases: `postgres://user@127.0.0.1:5432/postgres`. */
function connectionOf({ hostname, port, username, searchParams }: URL): Connection {
  const host = searchParams.get("host") ?? hostname;
  return { host, port: Number(port || 5432), username, database: "postgres" } as Connection;
}

/** Where this run's cluster is, which the first who asks starts. */
async function findCluster(): Promise<Connection> {
  const run = runId();
  const note = join(CLUSTER, `run-${run}.json`);
  const result = await readNote(note);
  if (result) return result;
  const holder = [process.execPath, join(import.meta.dir, "cluster.ts"), CLUSTER, String(run)];
  // By way of a shell that ends at once: the runner ends what a file's worker has started itself.
  const shell = Bun.spawn(["sh", "-c", '"$@" &', "sh", ...holder], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  await shell.stdout.getReader().read();
  const started = await readNote(note);
  if (!started) throw new Error("The tests' cluster did not start.");
  return started;
}

/** @returns null if no process has started it, or that process has ended */
async function readNote(path: string): Promise<Connection | null> {
  const note = Bun.file(path);
  if (!(await note.exists())) return null;
  const { holder, connection } = await note.json();
  return isAlive(holder) ? connection : null;
}

async function ensureTemplate(maintenance: Sql, connection: object): Promise<string> {
  const name = `template_${hash(`${migrationsText()} ${periodicJobs()}`)}`;
  await maintenance`select pg_advisory_lock(${LOCK})`;
  const [found] = await maintenance`select from pg_database where datname = ${name}`;
  if (!found) {
    await drop(maintenance, `${name}_new`);
    await maintenance.unsafe(`create database ${name}_new`);
    await migrateDatabase({ ...connection, database: `${name}_new` });
    await settle({ ...connection, database: `${name}_new` });
    // Renamed when it is whole: a run that was cut off leaves no half template.
    await maintenance.unsafe(`alter database ${name}_new rename to ${name}`);
  }
  await maintenance`select pg_advisory_unlock(${LOCK})`;
  return name;
}

/**
 * A service that has been running for a while: what it does once an hour is not done at each start of a
 * test's world. Tests of periodic jobs say when they are due.
 */
async function settle(target: object): Promise<void> {
  const sql = postgres({ ...target, max: 1 });
  await sql`insert into schedules (name, next_at) select unnest(${periodicJobs()}::text[]), 'infinity'`;
  await sql.end();
}

function periodicJobs(): string[] {
  // Enough to list the jobs, of which none is run.
  const nothing: JobDeps = new Proxy({} as JobDeps, {
    get: (_, name) => (name === "backup" ? null : nothing),
  });
  return [...listPeriods(createJobs(nothing)).keys()];
}

async function drop(maintenance: Sql, name: string): Promise<void> {
  await maintenance.unsafe(`drop database if exists ${name} with (force)`);
}

function migrationsText(): string {
  const folder = join(ROOT, "drizzle");
  // The journal too: by its times a process knows what was applied.
  const files = [
    ...readdirSync(folder).filter((name) => name.endsWith(".sql")),
    "meta/_journal.json",
  ];
  return files
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join();
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

export { urlOf } from "../../src/database/target.ts";
