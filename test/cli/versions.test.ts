import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { countKnownMigrations } from "../../src/database/migrate.ts";
import { VERSION } from "../../src/wire/version.ts";
import { writeBundle } from "../support/bundle.ts";
import { runHere } from "../support/command-line.ts";
import { emptyDatabase, freshDatabase, urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");
let folder: string;
const clients: Sql[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snug-versions-"));
});
afterAll(async () => {
  for (const sql of clients) await sql.end();
  await rm(folder, { recursive: true });
});

/** A database, a client to it, and the settings of commands that use it. */
async function place(open: typeof emptyDatabase) {
  const target = await open();
  const sql = postgres({ ...(target as object), max: 1, onnotice: () => {} });
  clients.push(sql);
  const env = { DATABASE_URL: urlOf(target), DATA_DIR: folder, SECRET_KEY: KEY };
  const cli = (args: string) => runHere(args.split(" "), env);
  return { sql, env, cli };
}

async function countRows(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from drizzle.__drizzle_migrations`;
  return row?.count ?? 0;
}

describe("a database that an older version has migrated", () => {
  test("is not migrated by commands that read: they say what is pending", async () => {
    const { sql, cli } = await place(freshDatabase);
    await sql`delete from drizzle.__drizzle_migrations
      where id = (select max(id) from drizzle.__drizzle_migrations)`;
    const before = await countRows(sql);
    for (const args of ["user list", "search status", "doctor --load", "user promote ada"]) {
      const { status, out, err } = await cli(args);
      expect([args, status, out]).toEqual([args, 1, ""]);
      expect(err).toContain("1 migration is pending: start Snug or run `migrate`.");
    }
    const doctor = await cli("doctor");
    expect(doctor.out).toContain("1 migration is pending");
    expect(await countRows(sql)).toBe(before);
  });
});

describe("a database that a newer version has migrated", () => {
  test("is refused by the start and by every command", async () => {
    const { sql, env, cli } = await place(freshDatabase);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 1e15)`;
    const file = join(folder, "newer.tar");
    for (const args of ["user list", `backup ${file}`, "migrate", "demo", "user promote ada"]) {
      const { status, err } = await cli(args);
      expect([args, status]).toEqual([args, 1]);
      expect(err).toContain("newer version of Snug");
    }
    expect(existsSync(file)).toBe(false);
    const doctor = await cli("doctor");
    expect([doctor.status, doctor.out]).toEqual([
      1,
      expect.stringMatching(/WRONG +database .*newer version of Snug/),
    ]);
    const started = Running.spawn(env, await writeBundle());
    expect(await started.process.exited).toBe(1);
    expect(started.output).toContain("newer version of Snug");
  });
});

test.each([["LATIN1"], ["SQL_ASCII"]])(
  "a database of the encoding %s is refused, with the statement that creates another",
  async (encoding) => {
    const { sql, env, cli } = await place(emptyDatabase);
    const name = `${new URL(env.DATABASE_URL).pathname.slice(1)}_${encoding.toLowerCase()}`;
    await sql.unsafe(`drop database if exists ${name}`);
    await sql.unsafe(
      `create database ${name} encoding '${encoding}' locale 'C' template template0`,
    );
    const url = new URL(env.DATABASE_URL);
    url.pathname = `/${name}`;
    const { status, err } = await runHere(["migrate"], { ...env, DATABASE_URL: url.href });
    expect([status, err]).toEqual([1, expect.stringContaining(`encoding is ${encoding}`)]);
    expect(err).toContain("encoding 'UTF8' template template0");
    await sql.unsafe(`drop database ${name}`);
    expect((await cli("migrate")).status).toBe(0);
  },
);

test("tables of another program are named, and left as they are", async () => {
  const { sql, cli } = await place(emptyDatabase);
  await sql`create table users (name text)`;
  const { status, err } = await cli("migrate");
  expect([status, err]).toEqual([
    1,
    "This database has tables that are not Snug's (users): give Snug an empty one.\n",
  ]);
});

describe("a folder without Snug", () => {
  test("is left empty by commands, which say what to set", async () => {
    const wrong = join(folder, "wrong");
    const env = { DATA_DIR: wrong, DATABASE_URL: "" };
    for (const args of ["user list", "doctor", `backup ${join(folder, "none.tar")}`, "migrate"]) {
      const { status, out, err } = await runHere(args.split(" "), env);
      expect([args, status]).toEqual([args, 1]);
      expect(`${out}${err}`).toContain(`There is no Snug in ${wrong}`);
    }
    expect(existsSync(wrong)).toBe(false);
  });

  test("a backup of a database without accounts is refused", async () => {
    const { cli } = await place(freshDatabase);
    const { status, err } = await cli(`backup ${join(folder, "nobody.tar")}`);
    expect([status, err]).toEqual([1, expect.stringContaining("has no accounts")]);
  });
});

describe("the version", () => {
  test("is printed by itself", async () => {
    for (const args of ["--version", "version"]) {
      const { status, out } = await runHere([args], {});
      expect([status, out]).toEqual([0, `Snug ${VERSION} (Bun ${Bun.version})\n`]);
    }
  });

  test("is in the log of a start, with the migrations that it applied", async () => {
    const { env } = await place(emptyDatabase);
    const running = await Running.start(env);
    const total = countKnownMigrations();
    expect(running.output).toContain(`Applied ${total} migrations.`);
    expect(running.output).toContain(`"version":"${VERSION}"`);
    const metrics = await (await fetch(`${running.address}/metrics`)).text();
    expect(metrics).toContain(`snug_build_info{version="${VERSION}",bun="${Bun.version}"} 1`);
    await running.stop();
  });
});

test("a port in use ends the start before the data folder is created", async () => {
  using occupant = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const unused = join(folder, "unused");
  const env = {
    PORT: String(occupant.port),
    HOST: "127.0.0.1",
    DATA_DIR: unused,
    DATABASE_URL: "",
  };
  const started = Running.spawn(env, await writeBundle());
  expect(await started.process.exited).toBe(1);
  expect(started.output).toContain("is in use");
  expect(existsSync(unused)).toBe(false);
});

test("another secret key is named by doctor, without a stack, and by the start", async () => {
  const { cli, env } = await place(freshDatabase);
  // The first check creates what is sealed.
  await cli("doctor");
  expect((await cli("doctor")).out).toMatch(/ok +secret key/);
  const other = { ...env, SECRET_KEY: Buffer.alloc(32, 8).toString("base64") };
  const { status, out } = await runHere(["doctor"], other);
  expect([status, out]).toEqual([1, expect.stringMatching(/WRONG +secret key .*another key/)]);
  expect(out).not.toMatch(/^ +at /m);
  const running = await Running.start(other);
  expect(running.output).toContain("was sealed with another key");
  await running.stop();
});

test("a misspelt setting is named by doctor", async () => {
  const { env } = await place(freshDatabase);
  const { status, out } = await runHere(["doctor"], { ...env, TRUST_PROXI: "1" });
  expect([status, out]).toEqual([1, expect.stringContaining("write TRUST_PROXY")]);
});
