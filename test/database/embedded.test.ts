import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";

import { EmbeddedPostgresError } from "../../src/embedded-postgres/error.ts";
import { type EmbeddedPostgres, startEmbedded } from "../../src/embedded-postgres/start.ts";
import { eventually } from "../support/wait.ts";

/*
 * Real servers and real kills. A user is this process or a child of it ("owner") that starts the
 * cluster, tells so, and releases it when told. Most tests start from a copy of one finished data
 * folder, since initdb is most of the time of a first start.
 */

const isRoot = process.geteuid?.() === 0;
const START = join(import.meta.dir, "../../src/embedded-postgres/start.ts");
const TIMEOUT = 30_000;

let base = "";
let template = "";
const folders: string[] = [];
const users: EmbeddedPostgres[] = [];
const owners: Owner[] = [];
const extraPids: number[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "snug-embedded-"));
  template = join(base, "template");
  const first = await startEmbedded(template);
  await first.release();
}, TIMEOUT);

afterEach(async () => {
  for (const user of users.splice(0)) await user.release();
  for (const owner of owners.splice(0)) await owner.kill();
  for (const pid of extraPids.splice(0)) killPid(pid);
  for (const folder of folders.splice(0)) {
    const pid = postmasterPid(folder);
    if (pid !== null && isPostgres(pid)) {
      killPid(pid);
      await eventually(() => !isAlive(pid));
    }
  }
}, TIMEOUT);

afterAll(async () => await rm(base, { recursive: true, force: true }), TIMEOUT);

describe("one user", () => {
  test(
    "starts on a fresh folder, stores, and stops with the release",
    async () => {
      const dataDir = await freshFolder("first");
      const user = await start(dataDir);
      expect(await query(user, "select current_database() as name")).toEqual([{ name: "snug" }]);
      const settings = `select current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit,
        current_setting('listen_addresses') as addresses,
        pg_encoding_to_char(encoding) as encoding, datlocale as locale
        from pg_database where datname = current_database()`;
      expect(await query(user, settings)).toEqual([
        { fsync: "on", commit: "on", addresses: "", encoding: "UTF8", locale: "C.UTF-8" },
      ]);
      const text = "select lower('ПРИВЕТ Ü') as low, 'ÄÖ' ilike 'äö' as same";
      expect(await query(user, text)).toEqual([{ low: "привет ü", same: true }]);
      await query(user, "create extension pg_trgm");
      await query(user, "create extension unaccent");
      await query(user, "create extension citext");
      const trigrams = "select cardinality(show_trgm('привет')) as n";
      expect(await query(user, trigrams)).toEqual([{ n: 7 }]);
      await query(user, "create table kept as select 42 as n");
      const pid = livePid(dataDir);
      await Promise.all([user.release(), user.release()]);
      await eventually(() => !isAlive(pid));

      const again = await start(dataDir);
      expect(await query(again, "select n from kept")).toEqual([{ n: 42 }]);
    },
    TIMEOUT,
  );

  test(
    "keeps the socket in the data folder, which nobody else can enter",
    async () => {
      const dataDir = await copyOfTemplate("private");
      const user = await start(dataDir);
      expect(user.connection.host).toBe(join(dataDir, "postgres/run"));
      expect((await stat(user.connection.host)).mode & 0o777).toBe(0o700);
      expect((await stat(join(dataDir, "postgres/cluster"))).mode & 0o777).toBe(0o700);
    },
    TIMEOUT,
  );

  test(
    "works in a path with spaces, quotes and unicode",
    async () => {
      const dataDir = await freshFolder(`a "dåta" fol'der 日本 \\ $HOME`);
      const user = await start(dataDir);
      expect(await query(user, "select 1 as n")).toEqual([{ n: 1 }]);
    },
    TIMEOUT,
  );

  test.each(["x".repeat(120), "a,b:c"])(
    "puts the socket elsewhere when the path cannot hold it: %s",
    async (name) => {
      const dataDir = await copyOfTemplate(name);
      const user = await start(dataDir);
      const { host } = user.connection;
      expect(host).toMatch(/^\/tmp\/snug-[0-9a-f]{24}$/);
      expect((await stat(host)).mode & 0o777).toBe(0o700);
      expect(await query(user, "select 1 as n")).toEqual([{ n: 1 }]);
      await user.release();
      expect(existsSync(host)).toBe(false);

      const again = await start(dataDir);
      expect(again.connection.host).toBe(host);
      await again.release();

      if (!isRoot) return;
      // Somebody was there first.
      await mkdir(host, { mode: 0o700 });
      await chown(host, 12345, 12345);
      const refusal = await refusalOf(dataDir);
      await rm(host, { recursive: true });
      expect(refusal).toContain(`${host}, for PostgreSQL's socket, belongs to user 12345`);
    },
    TIMEOUT,
  );
});

describe("several users", () => {
  test(
    "two that start a fresh folder at once get one server",
    async () => {
      const dataDir = await freshFolder("two");
      const both = await Promise.all([owner(dataDir), owner(dataDir)]);
      const here = await start(dataDir);
      const logs = both.flatMap((client) => client.log);
      expect(logs.filter((line) => line.startsWith("Creating"))).toHaveLength(1);
      expect(logs.filter((line) => line.startsWith("Starting"))).toHaveLength(1);
      const pid = livePid(dataDir);
      await Promise.all([here.release(), ...both.map((client) => client.release())]);
      await eventually(() => !isAlive(pid));
      for (const one of both) expect(one.faults()).toBe("");
    },
    TIMEOUT,
  );

  test(
    "the first to leave leaves it running, the last one stops it",
    async () => {
      const dataDir = await copyOfTemplate("order");
      const service = await owner(dataDir);
      const pid = livePid(dataDir);
      const tool = await start(dataDir);
      expect(livePid(dataDir)).toBe(pid);
      await tool.release();
      expect(isAlive(pid)).toBe(true);

      const other = await start(dataDir);
      await service.release();
      expect(isAlive(pid)).toBe(true);
      expect(await query(other, "select 1 as n")).toEqual([{ n: 1 }]);
      await other.release();
      await eventually(() => !isAlive(pid));
    },
    TIMEOUT,
  );

  test(
    "coming and going at once never meets a server that is leaving",
    async () => {
      const dataDir = await copyOfTemplate("churn");
      const rounds = Array.from({ length: 5 }, async () => {
        for (let round = 0; round < 4; round += 1) {
          const user = await startEmbedded(dataDir);
          expect(await query(user, "select 1 as n")).toEqual([{ n: 1 }]);
          await user.release();
        }
      });
      await Promise.all(rounds);
      expect(postmasterPid(dataDir)).toBeNull();
    },
    TIMEOUT,
  );
});

describe("after a kill -9", () => {
  test(
    "of the service, the next one attaches to the server it left",
    async () => {
      const dataDir = await copyOfTemplate("orphan");
      const service = await owner(dataDir);
      const pid = livePid(dataDir);
      await service.kill();
      expect(isAlive(pid)).toBe(true);

      const next = await start(dataDir);
      expect(livePid(dataDir)).toBe(pid);
      await next.release();
      await eventually(() => !isAlive(pid));
    },
    TIMEOUT,
  );

  test(
    "of everything, it recovers, also when another program has the old pid",
    async () => {
      const dataDir = await copyOfTemplate("all");
      const service = await owner(dataDir);
      await query(service, "create table kept as select 42 as n");
      const pid = livePid(dataDir);
      await service.kill();
      killPid(pid);
      await eventually(() => !isAlive(pid));

      // PostgreSQL itself takes a live pid of its own user for the server, in both files.
      const file = join(dataDir, "postgres/cluster/postmaster.pid");
      const { uid, gid } = await stat(file);
      const bystander = Bun.spawn(asUser(uid, gid, ["sleep", "600"]));
      extraPids.push(bystander.pid);
      for (const path of [file, join(dataDir, "postgres/run/.s.PGSQL.5432.lock")]) {
        const text = readFileSync(path, "utf8").replace(String(pid), String(bystander.pid));
        await writeFile(path, text);
      }

      const next = await start(dataDir);
      expect(await query(next, "select n from kept")).toEqual([{ n: 42 }]);
      expect(livePid(dataDir)).not.toBe(bystander.pid);
      expect(isAlive(bystander.pid)).toBe(true);
    },
    TIMEOUT,
  );

  test(
    "of the server, it comes back under its users, who notice no error here",
    async () => {
      const dataDir = await copyOfTemplate("back");
      const service = await owner(dataDir);
      const here = await start(dataDir);
      await query(here, "create table kept as select 42 as n");
      let pid = livePid(dataDir);
      for (const signal of ["SIGKILL", "SIGKILL", "SIGTERM"] as const) {
        const old = pid;
        process.kill(old, signal);
        await eventually(() => !isAlive(old));
        await eventually(() => answers(here));
        pid = livePid(dataDir);
        expect(pid).not.toBe(old);
      }
      expect(await query(here, "select n from kept")).toEqual([{ n: 42 }]);

      await here.release();
      expect(isAlive(pid)).toBe(true);
      await service.release();
      await eventually(() => !isAlive(pid));
      expect(service.faults()).toBe("");
    },
    TIMEOUT,
  );

  test(
    "of the server an orphan's new user attached to, it comes back as well",
    async () => {
      const dataDir = await copyOfTemplate("orphan-back");
      const service = await owner(dataDir);
      const pid = livePid(dataDir);
      await service.kill();
      const next = await start(dataDir);
      killPid(pid);
      await eventually(() => !isAlive(pid));
      await eventually(() => answers(next));
    },
    TIMEOUT,
  );

  test(
    "in the middle of initdb, the next start creates the cluster again",
    async () => {
      const dataDir = await freshFolder("half");
      const service = spawnOwner(dataDir);
      const home = join(dataDir, "postgres");
      await eventually(async () => {
        const names = existsSync(home) ? await readdir(home) : [];
        const half = names.find((name) => name.startsWith("new-"));
        return half !== undefined && existsSync(join(home, half, "PG_VERSION"));
      });
      await service.kill();
      expect(existsSync(join(home, "cluster"))).toBe(false);

      const user = await start(dataDir);
      expect(await query(user, "select 1 as n")).toEqual([{ n: 1 }]);
      await user.release();
      const again = await start(dataDir);
      await again.release();
      expect((await readdir(home)).filter((name) => name.startsWith("new-"))).toEqual([]);
    },
    TIMEOUT,
  );
});

describe("refusals", () => {
  test("names both versions of a cluster that it cannot serve", async () => {
    const dataDir = await copyOfTemplate("old");
    await writeFile(join(dataDir, "postgres/cluster/PG_VERSION"), "15\n");
    const refusal = await refusalOf(dataDir);
    expect(refusal).toContain("written by PostgreSQL 15, and this Snug brings PostgreSQL 18");
    expect(refusal).toContain("pg_dump");
    expect(refusal).toContain("DATABASE_URL");
  });

  test("does not touch a folder that is not a cluster", async () => {
    const dataDir = await freshFolder("strange");
    await mkdir(join(dataDir, "postgres/cluster"), { recursive: true });
    await writeFile(join(dataDir, "postgres/cluster/holiday.jpg"), "");
    expect(await refusalOf(dataDir)).toContain("has no PG_VERSION");
  });

  test("says why PostgreSQL did not start", async () => {
    const dataDir = await copyOfTemplate("typo");
    await writeFile(join(dataDir, "postgres/cluster/postgresql.conf"), "shared_bufers = 1\n");
    const refusal = await refusalOf(dataDir);
    expect(refusal).toContain("PostgreSQL did not start");
    expect(refusal).toContain(join(dataDir, "postgres/server.log"));
  });
});

test.skipIf(!isRoot)(
  "serves root from a private home that PostgreSQL's user cannot enter",
  async () => {
    const home = await freshFolder("home");
    await mkdir(home);
    await chmod(home, 0o700);
    const project = join(home, "snug");
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const version = `18.4.0-test.${process.pid}`;
    await copyProject(project, name, version);
    const copy = `/var/cache/snug/postgresql-${version}-${process.platform}-${process.arch}`;
    try {
      const dataDir = join(home, "data");
      folders.push(dataDir);
      const script = join(project, "src/embedded-postgres/start.ts");
      const both = await Promise.all([owner(dataDir, script), owner(dataDir, script)]);
      const [one] = both;
      expect(await query(one, "select 1 as n")).toEqual([{ n: 1 }]);
      await query(one, "create extension pg_trgm");
      expect(one.connection.host).toBe(join(dataDir, "postgres/run"));
      expect((await stat(join(dataDir, "postgres/cluster"))).uid).not.toBe(0);
      expect(existsSync(copy)).toBe(true);

      const pid = livePid(dataDir);
      for (const each of both) await each.kill();
      killPid(pid);
      await eventually(() => !isAlive(pid));
      const next = await owner(dataDir, script);
      expect(next.log.filter((line) => line.startsWith("Copying"))).toEqual([]);
      await next.release();
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  },
  TIMEOUT,
);

// Folders

async function freshFolder(name: string): Promise<string> {
  const folder = join(await mkdtemp(join(base, "t-")), name);
  folders.push(folder);
  return folder;
}

async function copyOfTemplate(name: string): Promise<string> {
  const folder = await freshFolder(name);
  const copied = Bun.spawn(["cp", "-a", template, folder]);
  expect(await copied.exited).toBe(0);
  return folder;
}

async function copyProject(project: string, packageName: string, version: string): Promise<void> {
  await cp(dirname(START), join(project, "src/embedded-postgres"), { recursive: true });
  const own = "src/platform/process/installation.ts";
  await cp(join(import.meta.dir, "../..", own), join(project, own));
  const modules = join(project, "node_modules");
  const from = join(import.meta.dir, "../../node_modules");
  for (const name of ["postgres", packageName]) {
    await cp(join(from, name), join(modules, name), { recursive: true });
  }
  const manifest = join(modules, packageName, "package.json");
  const text = readFileSync(manifest, "utf8");
  await writeFile(manifest, text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
}

// Users

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const user = await startEmbedded(dataDir);
  users.push(user);
  return user;
}

async function refusalOf(dataDir: string): Promise<string> {
  const refused = await startEmbedded(dataDir).then(
    () => new Error("It started."),
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(EmbeddedPostgresError);
  return refused instanceof Error ? refused.message : "";
}

type Connection = EmbeddedPostgres["connection"];
type Owner = {
  connection: Connection;
  log: string[];
  /** What it wrote to stderr, where unhandled errors go. */
  faults(): string;
  release(): Promise<void>;
  kill(): Promise<void>;
};

const OWNER = `
  const { startEmbedded } = await import(process.argv[1]);
  const say = (value) => console.log(JSON.stringify(value));
  const user = await startEmbedded(process.argv[2], { log: (line) => say({ line }) });
  say({ connection: user.connection });
  for await (const _ of console) break;
  await user.release();
`;

function spawnOwner(dataDir: string, script = START) {
  const child = Bun.spawn([process.execPath, "-e", OWNER, script, dataDir], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const log: string[] = [];
  let faults = "";
  const { promise: ready, resolve, reject } = Promise.withResolvers<Connection>();
  void ready.catch(() => {});
  const reading = [
    readLines(child.stdout, (line) => {
      const said: { line?: string; connection?: Connection } = JSON.parse(line);
      if (said.line !== undefined) log.push(said.line);
      if (said.connection !== undefined) resolve(said.connection);
    }),
    readLines(child.stderr, (line) => (faults += `${line}\n`)),
  ];
  const ended = Promise.all([child.exited, ...reading]).then(() => reject(new Error(faults)));
  const handle = {
    log,
    faults: () => faults,
    async release() {
      await child.stdin.write("\n");
      await child.stdin.end();
      await ended;
      expect(child.exitCode).toBe(0);
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
  return { ...handle, ready };
}

async function owner(dataDir: string, script = START): Promise<Owner> {
  const { ready, ...handle } = spawnOwner(dataDir, script);
  const started = { ...handle, connection: { host: "", port: 0, username: "", database: "" } };
  owners.push(started);
  started.connection = await ready;
  return started;
}

async function readLines(stream: ReadableStream<Uint8Array>, each: (line: string) => void) {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(each);
  }
}

type Row = Record<string, unknown>;

async function query(user: { connection: Connection }, text: string): Promise<Row[]> {
  const sql = postgres({ ...user.connection, max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe<Row[]>(text))];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function answers(user: { connection: Connection }): Promise<boolean> {
  return await query(user, "select 1").then(
    () => true,
    () => false,
  );
}

// Processes

function postmasterPid(dataDir: string): number | null {
  const file = join(dataDir, "postgres/cluster/postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : null;
}

function livePid(dataDir: string): number {
  const pid = postmasterPid(dataDir) ?? 0;
  expect(isPostgres(pid)).toBe(true);
  return pid;
}

function isPostgres(pid: number): boolean {
  return describeProcess(pid).includes("postgres");
}

/** A zombie has a pid and lives no more. */
function isAlive(pid: number): boolean {
  return !/^(Z.*)?$/.test(describeProcess(pid));
}

function describeProcess(pid: number): string {
  const ps = Bun.spawnSync(["ps", "-ww", "-o", "stat=,args=", "-p", String(pid)]);
  return ps.stdout.toString().trim();
}

function killPid(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone.
  }
}

function asUser(uid: number, gid: number, command: string[]): string[] {
  if (!isRoot) return command;
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", ...command];
}
