import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chown, copyFile, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession } from "../../src/authentication/sessions.ts";
import { connectDatabase } from "../../src/database/connect.ts";
import { chooseAccount } from "../../src/embedded-postgres/account.ts";
import { migrateDatabase } from "../../src/database/migrate.ts";
import { users } from "../../src/database/schema.ts";
import { explainError } from "../../src/explain.ts";
import { createRoom } from "../../src/rooms/change.ts";
import { loadSecretKey } from "../../src/platform/secrets/secrets.ts";
import { startService } from "../../src/service.ts";
import { Client } from "../support/client.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import { Running } from "../support/process.ts";
import { testConfig } from "../support/world.ts";

setDefaultTimeout(120_000);

const TLS = join(import.meta.dir, "../support/tls");
const ROOT = join(TLS, "localhost.pem");

let folder: string;
let server: PostgresServer;
/** Of a role that owns its database and nothing else. */
let owned: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snug-tls-"));
  await chmod(folder, 0o755);
  const { uid, gid, isSwitched: switched } = chooseAccount([], folder);
  const key = join(folder, "key.pem");
  await copyFile(join(TLS, "localhost.key.pem"), key);
  await chmod(key, 0o600);
  if (switched) await chown(key, uid, gid);
  server = await PostgresServer.start([
    ...["ssl=on", `ssl_cert_file=${ROOT}`, `ssl_key_file=${key}`],
    "listen_addresses=127.0.0.1,127.0.0.2",
  ]);
  await server.sql`create role team login nosuperuser nocreatedb nocreaterole`;
  await server.sql`create role reader login nosuperuser in role pg_read_all_data`;
  await server.sql`create database team owner team`.simple();
  owned = urlOf("team", "127.0.0.1", `sslmode=verify-full&sslrootcert=${ROOT}`);
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const urlOf = (role: string, host: string, query: string) =>
  `postgres://${role}@${host}:${server.port}/team?${query}`;

/** What an operator reads when this URL is used, or whether the connection is encrypted. */
async function tryUrl(url: string): Promise<string> {
  try {
    const { sql, close } = connectDatabase(url, 1);
    try {
      const [row] = await sql<{ ssl: boolean }[]>`
        select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
      return row?.ssl ? "encrypted" : "plain";
    } finally {
      await close();
    }
  } catch (error) {
    return explainError(error);
  }
}

describe("over TLS", () => {
  test("a server is verified by its authority and its host", async () => {
    expect(await tryUrl(owned)).toBe("encrypted");
    const verified = `sslmode=verify-full&sslrootcert=${ROOT}`;
    expect(await tryUrl(urlOf("team", "localhost", verified))).toBe("encrypted");
    expect(await tryUrl(urlOf("team", "127.0.0.2", "sslmode=require"))).toBe("encrypted");
    const byAuthority = `sslmode=verify-ca&sslrootcert=${ROOT}`;
    expect(await tryUrl(urlOf("team", "127.0.0.2", byAuthority))).toBe("encrypted");
    expect(await tryUrl(urlOf("team", "127.0.0.1", "sslmode=disable"))).toBe("plain");
  });

  test("one of several hosts is verified, too", async () => {
    const query = `sslmode=verify-full&sslrootcert=${ROOT}`;
    const url = (hosts: string[]) => urlOf("team", hosts.join(`:${server.port},`), query);
    expect(await tryUrl(url(["localhost", "localhost"]))).toBe("encrypted");
    expect(await tryUrl(url(["127.0.0.1", "127.0.0.1"]))).toBe("encrypted");
    expect(await tryUrl(url(["127.0.0.2", "127.0.0.2"]))).toMatch(/is for another host/);
  });

  test("a certificate of another host is refused, in a sentence", async () => {
    const query = `sslmode=verify-full&sslrootcert=${ROOT}`;
    expect(await tryUrl(urlOf("team", "127.0.0.2", query))).toBe(
      "The database's certificate is for another host than the one in DATABASE_URL: use a name that it is for, or get one for this host.",
    );
  });

  test("an unknown authority, and a file that is not there, are said in a sentence", async () => {
    expect(await tryUrl(urlOf("team", "127.0.0.1", "sslmode=verify-full"))).toMatch(
      /^The database's certificate is not trusted \(\w+\)\. Name the file of its authority/,
    );
    const query = "sslmode=verify-full&sslrootcert=/nowhere.pem";
    expect(await tryUrl(urlOf("team", "127.0.0.1", query))).toBe(
      "sslrootcert in DATABASE_URL cannot be read (ENOENT): /nowhere.pem",
    );
  });
});

test("a role that owns its database alone migrates it, and people talk", async () => {
  expect(await migrateDatabase(owned)).toBeGreaterThan(0);
  const service = await startService(testConfig({ DATA_DIR: folder }), owned);
  const database = connectDatabase(owned, 2);
  const id = Bun.randomUUIDv7();
  const ada = { id, username: "ada", email: "ada@example.org", passwordHash: "" };
  await database.db.insert(users).values(ada);
  const roomId = await createRoom(database.db, id, { name: "hall", privacy: "private" });
  const token = await database.db.transaction((tx) =>
    createSession(tx, id, { address: "127.0.0.1", userAgent: "a test" }),
  );
  const client = new Client(service.address, `snug_session=${token}`, ada);
  const socket = await client.socket();
  await socket.join(roomId);
  await client.say(roomId, "hello there");
  await socket.next("message");
  expect((await client.get("/api/search/messages?q=hello")).status).toBe(200);
  socket.close();
  await database.close();
  await service.stop();
});

test("a role that may only read is enough for commands that read; others say what is missing", async () => {
  const DATABASE_URL = urlOf("reader", "127.0.0.1", "sslmode=require");
  await loadSecretKey(folder, null);
  const env = { DATABASE_URL, DATA_DIR: folder };
  const listed = await Running.cli(["room", "list"], env);
  expect(listed).toMatchObject({ status: 0, out: expect.stringContaining("hall") });
  const checked = await Running.cli(["doctor", "--json"], env);
  const database = JSON.parse(checked.out).find(
    ({ check }: { check: string }) => check === "database",
  );
  expect(database).toEqual({
    check: "database",
    ok: false,
    detail: expect.stringMatching(/^The database user is read-only/),
  });
  const changed = await Running.cli(["invite", "eve@example.org"], env);
  expect(changed.status).toBe(1);
  expect(changed.err).toContain("The database's user lacks a right: permission denied");
  expect(changed.err).not.toContain("    at ");
});
