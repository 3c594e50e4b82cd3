import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import type { Target } from "../../src/database/connect.ts";
import type { EmbeddedPostgres } from "../../src/database/embedded/start.ts";
import { migrate } from "../../src/database/migrate.ts";

/** One cluster for all workers of all runs of this checkout; the last to leave stops it. */
const ROOT = join(import.meta.dir, "../..");
const CLUSTER = join(tmpdir(), `snug-test-${hash(ROOT)}`);
/** Any number of our own: workers make the template one after the other. */
const LOCK = 5_733_599;

let cluster: Promise<EmbeddedPostgres> | undefined;
let counter = 0;

/** A database of its own, as the migrations leave it, cloned from a template. */
export async function freshDatabase(): Promise<Target & object> {
  cluster ??= holdCluster();
  const { connection } = await cluster;
  const maintenance = postgres({ ...connection, database: "postgres", max: 1, onnotice: () => {} });
  try {
    const template = await ensureTemplate(maintenance, connection);
    // By process, so that two runs at once do not take each other's.
    const name = `test_${process.pid}_${counter++}`;
    await maintenance.unsafe(`drop database if exists ${name} with (force)`);
    await maintenance.unsafe(`create database ${name} template ${template}`);
    return { ...connection, database: name };
  } finally {
    await maintenance.end();
  }
}

/** See cluster.ts for why it takes a process. */
async function holdCluster(): Promise<EmbeddedPostgres> {
  const holder = Bun.spawn([process.execPath, join(import.meta.dir, "cluster.ts"), CLUSTER], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await holder.stdout.getReader().read();
  if (!value) throw new Error("The tests' cluster did not start.");
  return {
    connection: JSON.parse(new TextDecoder().decode(value)),
    async release() {
      await holder.stdin.end();
      await holder.exited;
    },
  };
}

async function ensureTemplate(maintenance: Sql, connection: object): Promise<string> {
  const template = `template_${hash(migrationsText())}`;
  await maintenance`select pg_advisory_lock(${LOCK})`;
  const [found] = await maintenance`select from pg_database where datname = ${template}`;
  if (!found) {
    await maintenance.unsafe(`drop database if exists ${template}_new with (force)`);
    await maintenance.unsafe(`create database ${template}_new`);
    await migrate({ ...connection, database: `${template}_new` });
    // Renamed when it is whole: a run that was cut off leaves no half template.
    await maintenance.unsafe(`alter database ${template}_new rename to ${template}`);
  }
  await dropLeftovers(maintenance);
  await maintenance`select pg_advisory_unlock(${LOCK})`;
  return template;
}

/** Databases of test processes that are no more: nothing piles up. */
async function dropLeftovers(maintenance: Sql): Promise<void> {
  const rows = await maintenance`select datname from pg_database where datname ~ '^test_[0-9]+_'`;
  for (const { datname } of rows) {
    const pid = Number(String(datname).split("_")[1]);
    if (!isAlive(pid)) await maintenance.unsafe(`drop database if exists ${datname} with (force)`);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
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

export async function releaseCluster(): Promise<void> {
  const started = cluster;
  cluster = undefined;
  await (await started)?.release();
}

/** The target as a DATABASE_URL for a process of its own. */
export function urlOf(target: Target & object): string {
  const { host, port, username, database } = target as Record<string, string | number>;
  const query = new URLSearchParams({ host: String(host) });
  return `postgres://${username}@localhost:${port}/${database}?${query}`;
}
