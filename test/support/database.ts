import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import type { Target } from "../../src/database/connect.ts";
import type { EmbeddedPostgres } from "../../src/database/embedded/start.ts";
import { migrate } from "../../src/database/migrate.ts";
import { isAlive } from "./leftovers.ts";

type Connection = EmbeddedPostgres["connection"];

/** One cluster for all workers of all runs of this checkout; the last run to leave stops it. */
const ROOT = join(import.meta.dir, "../..");
const CLUSTER = join(tmpdir(), `snug-test-${hash(ROOT)}`);
/** Any number of our own: workers make the template one after the other. */
const LOCK = 5_733_599;

let cluster: Promise<Connection> | undefined;
let template: Promise<string> | undefined;
let counter = 0;

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

async function createDatabase(findTemplate: typeof ensureTemplate): Promise<Target & object> {
  const { TEST_DATABASE_URL: given } = process.env;
  cluster ??= given ? Promise.resolve(connectionOf(new URL(given))) : findCluster();
  const connection = await cluster;
  // A connection that stays open would keep the process, and one that idles may be closing when it is used.
  const maintenance = postgres({ ...connection, database: "postgres", max: 1, onnotice: () => {} });
  try {
    const from = await findTemplate(maintenance, connection);
    // By process, so that two runs at once do not take each other's.
    const name = `test_${process.pid}_${counter++}`;
    await maintenance.unsafe(`drop database if exists ${name} with (force)`);
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
  // Files run in workers of the process that was called, or in that process itself.
  const run = process.env.JEST_WORKER_ID ? process.ppid : process.pid;
  const note = join(CLUSTER, `run-${run}.json`);
  const found = await readNote(note);
  if (found) return found;
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
  const name = `template_${hash(migrationsText())}`;
  await maintenance`select pg_advisory_lock(${LOCK})`;
  const [found] = await maintenance`select from pg_database where datname = ${name}`;
  if (!found) {
    await maintenance.unsafe(`drop database if exists ${name}_new with (force)`);
    await maintenance.unsafe(`create database ${name}_new`);
    await migrate({ ...connection, database: `${name}_new` });
    // Renamed when it is whole: a run that was cut off leaves no half template.
    await maintenance.unsafe(`alter database ${name}_new rename to ${name}`);
  }
  await maintenance`select pg_advisory_unlock(${LOCK})`;
  return name;
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

export { urlOf } from "../../src/database/connect.ts";
