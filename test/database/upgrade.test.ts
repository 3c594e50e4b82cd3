import { afterAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import postgres from "postgres";
import {
  countAppliedMigrations,
  countKnownMigrations,
  migrateDatabase,
} from "../../src/database/migrate.ts";
import type { Target } from "../../src/database/target.ts";
import { type Service, startService } from "../../src/service.ts";
import type { Message, MyRoom } from "../../src/wire/models.ts";
import { Client } from "../support/client.ts";
import { emptyDatabase } from "../support/database.ts";
import { testConfig } from "../support/world.ts";

/** A folder for each version that was released, as `make-release.ts` wrote it. */
const RELEASES = join(import.meta.dir, "releases");
const releases = (await readdir(RELEASES)).toSorted();

const started: Service[] = [];
const dataDirs: string[] = [];
afterAll(async () => {
  for (const service of started) await service.stop();
  for (const folder of dataDirs) await rm(folder, { recursive: true });
});

/** Starts today's service on what a release has left. */
async function upgrade(release: string) {
  const folder = join(RELEASES, release);
  const opens = await Bun.file(join(folder, "release.json")).json();
  const target = await emptyDatabase();
  const sql = postgres({ ...target, max: 1, onnotice: () => {} } as object);
  const dump = gunzipSync(await Bun.file(join(folder, "dump.sql.gz")).bytes()).toString();
  await sql.unsafe(dump);
  const before = await countAppliedMigrations(sql);
  await sql.end();
  const applied = await migrateDatabase(target);
  await expectTimes(target);

  const DATA_DIR = await mkdtemp(join(tmpdir(), "snug-upgrade-"));
  dataDirs.push(DATA_DIR);
  await cp(join(folder, "uploads"), join(DATA_DIR, "uploads"), { recursive: true });
  const config = testConfig({ DATA_DIR, SECRET_KEY: opens.secret_key });
  const service = await startService(config, target);
  started.push(service);
  return { opens, service, migrations: before + applied };
}

describe.each(releases)("what %s has left", (release) => {
  test("is migrated, keeps all its data, and works", async () => {
    const { opens, service, migrations } = await upgrade(release);
    expect(migrations).toBe(countKnownMigrations());

    const { username, password, token } = opens;
    const anonymous = new Client(service.address);
    const login = await anonymous.post("/api/auth/login", { username, password });
    expect(login.status).toBe(200);
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    const ada = new Client(service.address, cookie, login.body);
    await expectFile(ada, login.body.avatar_url);

    const rooms: MyRoom[] = (await ada.get("/api/rooms")).body.items;
    expect(rooms.length).toBeGreaterThan(1);
    const results = await Promise.all(rooms.map((room) => messagesOf(ada, room.id)));
    const messages = results.flat();
    expect(messages.length).toBeGreaterThan(10);
    for (const { image, file } of messages) {
      for (const url of [image?.url, file?.url]) if (url) await expectFile(ada, url);
    }
    expect(messages.filter(({ image }) => image).length).toBeGreaterThan(0);
    expect(messages.filter(({ file }) => file).length).toBeGreaterThan(0);

    const open = rooms.find((room) => !room.is_archived) as MyRoom;
    const socket = await ada.socket();
    await socket.join(open.id);
    const posted = await ada.post(`/api/rooms/${open.id}/messages`, { content: "after it" });
    expect(posted.status).toBe(201);
    expect(await socket.next("message")).toMatchObject({ message: { id: posted.body.id } });
    socket.close();
    expect((await messagesOf(ada, open.id)).some(({ id }) => id === posted.body.id)).toBe(true);

    const bot = new Client(service.address, null, undefined, token);
    expect((await bot.get("/api/auth/me")).body).toMatchObject({ is_bot: true });
  });
});

/** What mentions someone has got the time of its message. */
async function expectTimes(target: Target): Promise<void> {
  const sql = postgres({ ...(target as object), max: 1 });
  const [row] = await sql`select count(*)::int as all,
      count(*) filter (where n.created_at = m.created_at)::int as same
    from message_mentions n join messages m on m.id = n.message_id`;
  await sql.end();
  expect(row?.all).toBeGreaterThan(0);
  expect(row?.same).toBe(row?.all);
}

async function messagesOf(client: Client, roomId: string): Promise<Message[]> {
  return (await client.get(`/api/rooms/${roomId}/messages`)).body.items;
}

async function expectFile(client: Client, url: string): Promise<void> {
  const { status, body } = await client.get(url);
  expect(status).toBe(200);
  expect(body.length).toBeGreaterThan(0);
}
