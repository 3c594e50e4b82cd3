import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { lstat, mkdtemp, readdir, rm, symlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import postgres from "postgres";
import { withSnapshot } from "../../src/backup/dump.ts";
import { takeAndRotate } from "../../src/backup/scheduled.ts";
import { moveDatabase } from "../../src/backup/move.ts";
import { verifyBackup } from "../../src/backup/read.ts";
import { DatabaseLoader } from "../../src/backup/database-loader.ts";
import { restoreBackup } from "../../src/backup/restore.ts";
import { takeBackup } from "../../src/backup/take.ts";
import { openClient } from "../../src/database/connect.ts";
import type { Target } from "../../src/database/target.ts";
import { migrateDatabase } from "../../src/database/migrate.ts";
import { openStore, type Store } from "../../src/platform/storage/open.ts";
import { type Service, startService } from "../../src/service.ts";
import { removeBlobs } from "../../src/uploads/remove.ts";
import { Client, expectProblem } from "../support/client.ts";
import { emptyDatabase } from "../support/database.ts";
import { Bucket } from "../support/s3.ts";
import { testConfig, World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(120_000);

const PLAIN = { recipients: [], uploadsFolder: null };
const READ = { identities: [], uploadsFolder: null };
/** Leaves sessions as they were, so that all can be compared with the original. */
const KEEP = { ...READ, keepsSessions: true };

let world: World;
let ada: Client;
let grace: Client;
let room: string;
let folder: string;
let source: { target: Target; storage: Store["storage"]; secretKeys: null };
const services: Service[] = [];
beforeAll(async () => {
  world = await World.start();
  [ada, grace] = [await world.person("ada", { isSiteAdmin: true }), await world.person("grace")];
  room = await world.room("plans", ada, [grace]);
  folder = await mkdtemp(join(tmpdir(), "snug-backup-"));
  const { storage } = openStore(testConfig(world.settings));
  source = { target: world.target, storage, secretKeys: null };
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await world.stop();
  await rm(folder, { recursive: true });
});

/** A database and a data folder that nobody has used. */
async function elsewhere(more: Record<string, string> = {}) {
  const DATA_DIR = await mkdtemp(join(folder, "data-"));
  const config = testConfig({ DATA_DIR, ...more });
  return { target: await emptyDatabase(), store: openStore(config), config };
}

async function serve({ config, target }: Awaited<ReturnType<typeof elsewhere>>): Promise<Service> {
  const service = await startService(config, target);
  services.push(service);
  return service;
}

/** Everything in the tables, as text; without the numbers that a restore moves on. */
async function contentOf(target: Target): Promise<Record<string, string>> {
  const sql = postgres({ ...(target as object), max: 1 });
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'`;
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql<{ text: string }[]>`
      select coalesce(string_agg(line, E'\n' order by line), '') as text from (
        select (to_jsonb(t) - 'version' - 'profile_version' - 'last_seq' - 'after_seq')::text as line from ${sql(name)} t
      ) l`;
    found[name] = row?.text ?? "";
  }
  await sql.end();
  return found;
}

/** Waits until the running service has indexed what was posted: until then it writes on its own. */
async function untilIndexed(): Promise<void> {
  const read = () => world.database.sql<{ is_behind: boolean }[]>`
    select exists (select from jobs where kind like 'search%') or exists (
      select from rooms r left join search_rooms s on s.room_id = r.id
      where r.deleted_at is null and coalesce(s.after_seq, 0) < r.last_seq
    ) as is_behind`;
  await eventually(async () => (await read())[0]?.is_behind === false);
}

/** Where the entries of an archive are (ustar: a header of 512 bytes, and content in such blocks). */
function entriesOf(archive: Buffer): { name: string; from: number; size: number }[] {
  const found = [];
  for (let at = 0; archive[at];) {
    const name = archive.toString("latin1", at, at + 100).replace(/\0.*/s, "");
    const size = Number.parseInt(archive.toString("latin1", at + 124, at + 135), 8);
    found.push({ name, from: at + 512, size });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

const send = (bytes: Uint8Array, name = "notes.txt") =>
  ada.upload(`/api/rooms/${room}/files`, bytes, name).then(({ body }) => body);
const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));

describe("a backup", () => {
  test("replaces a link that has the name of its unfinished file, and leaves what it led to", async () => {
    const [file, other] = [join(folder, "linked.tar"), join(folder, "other")];
    await Bun.write(other, "mine");
    await symlink(other, `${file}.partial`);
    await takeBackup(source, file, PLAIN);
    expect(await Bun.file(other).text()).toBe("mine");
    const stats = await lstat(file);
    expect([stats.isFile(), stats.mode & 0o777]).toEqual([true, 0o600]);
  });

  test("that is taken while people write has one moment of everything, and two instances serve it elsewhere", async () => {
    const bytes = random(60_000);
    const file = await send(bytes);
    await ada.say(room, "Tab\tand \\ backslash,\nnew line, and 💙", { file_id: file.id });
    let isOver = false;
    let count = 0;
    const people = [ada, grace].map(async (client) => {
      while (!isOver) {
        const { id } = await client.say(room, `message ${++count}`);
        await client.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
      }
    });
    await eventually(() => count >= 20);
    const path = join(folder, "busy.tar");
    const report = await takeBackup(source, path, PLAIN);
    const later = (await ada.say(room, "after the backup")).id;
    const { seq } = (await ada.get(`/api/rooms/${room}`)).body;
    isOver = true;
    await Promise.all(people);
    expect(report.missing).toEqual([]);

    const bucket = await Bucket.open();
    const there = await elsewhere(bucket.environment);
    await restoreBackup(path, there, KEEP);
    const sql = postgres({ ...there.target, max: 1 });
    // Each number of the room's log, and each message and reaction that belongs to one.
    const [row] = await sql`
      select count(*)::int as entries, max(seq)::int as last,
        count(*) filter (where type = 'message')::int as posted,
        (select count(*)::int from messages) as messages from room_log where room_id = ${room}`;
    expect(row?.entries).toBe(row?.last);
    expect(row?.posted).toBe(row?.messages);
    expect(row?.messages).toBeGreaterThanOrEqual(21);
    await sql.end();

    const instances = await Promise.all([serve(there), serve(there)]);
    const [here, beside] = instances.map(
      ({ address }) => new Client(address, ada.cookie, ada.user),
    );
    if (!here || !beside) throw new Error("Two instances were started.");
    const read = await fetch(here.base + file.url, { headers: { cookie: ada.cookie ?? "" } });
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await here.get(`/api/messages/${later}`)).status).toBe(404);
    const socket = await beside.socket();
    // What a browser has seen after the backup is not taken for what happens now.
    socket.send({ type: "join", room_id: room, seq });
    await socket.next("resync");
    const { id } = await here.say(room, "It goes on.");
    expect(await socket.next((event) => event.message?.id === id)).toMatchObject({
      seq: expect.any(Number),
    });
    socket.close();
    for (const service of services.splice(0)) await service.stop();

    // From the bucket, in the same way.
    const again = { target: there.target, storage: there.store.storage, secretKeys: null };
    const second = join(folder, "bucket.tar");
    expect((await takeBackup(again, second, PLAIN)).uploads).toBe(report.uploads);
    await verifyBackup(second, READ);
    await bucket.close();
  });

  test("restores every row, and what migrations and triggers add comes once", async () => {
    const path = join(folder, "rows.tar");
    // More than the driver buffers, and than one piece of the archive holds.
    await world.database.sql`
      insert into link_previews (url_hash, url, title, expires_at)
      select sha256(i::text::bytea), 'https://example.org/' || i, repeat('long ', 10), now()
      from generate_series(1, 40000) i`;
    await untilIndexed();
    const before = await contentOf(world.target);
    await takeBackup(source, path, PLAIN);
    const there = await elsewhere();
    await restoreBackup(path, there, KEEP);
    expect(await contentOf(there.target)).toEqual(before);
    await world.database.sql`delete from link_previews`;
    // A second one is refused: it would overwrite accounts.
    await expect(restoreBackup(path, there, READ)).rejects.toThrow("This database has accounts");
  });

  test("restores sections of sidebars, newer than what clients have seen", async () => {
    const paths = ["/api/auth/me/sections", "/api/admin/settings/sections"];
    const id = crypto.randomUUID();
    const sections = [{ id, name: "Projects", is_collapsed: true, room_ids: [room] }];
    for (const path of paths) {
      expect((await ada.put(path, { base_version: 0, sections })).status).toBe(200);
    }
    const file = join(folder, "sections.tar");
    await takeBackup(source, file, PLAIN);
    for (const path of paths) await ada.put(path, { base_version: 1, sections: [] });
    const there = await elsewhere();
    await restoreBackup(file, there, KEEP);
    const restored = new Client((await serve(there)).address, ada.cookie, ada.user);
    for (const path of paths) {
      const { body } = await restored.get(path);
      expect(body).toEqual({ version: expect.any(Number), sections });
      expect(body.version).toBeGreaterThan(2);
    }
  });

  test("keeps a room private that was a conversation", async () => {
    const alan = await world.person("alan");
    const user_ids = [grace, alan].map(({ user }) => user.id);
    const { id } = (await ada.post("/api/direct", { user_ids })).body;
    const message = await grace.say(id, "among ourselves");
    expect((await ada.post(`/api/direct/${id}/room`, { name: "former" })).status).toBe(200);
    const path = join(folder, "former.tar");
    await takeBackup(source, path, PLAIN);
    const there = await elsewhere();
    await restoreBackup(path, there, KEEP);
    const owner = new Client((await serve(there)).address, ada.cookie, ada.user);
    for (const refused of [
      await owner.patch(`/api/rooms/${id}`, { privacy: "open" }),
      await owner.delete(`/api/rooms/${id}`),
    ]) {
      expectProblem(refused, 409, "was_conversation");
    }
    expectProblem(await owner.delete(`/api/messages/${message.id}`), 403, "role_required");
  });

  test("refuses a database that Snug is using, and leaves one with no accounts usable", async () => {
    const path = join(folder, "refused.tar");
    await untilIndexed();
    await takeBackup(source, path, PLAIN);
    const there = await elsewhere();
    // A service was started on it before anyone thought of the backup.
    await migrateDatabase(there.target);
    const running = await startService(there.config, there.target);
    await expect(restoreBackup(path, there, READ)).rejects.toThrow("Snug is using this database");
    await running.stop();
    await restoreBackup(path, there, KEEP);
    expect(await contentOf(there.target)).toEqual(await contentOf(world.target));
  });

  test("keeps the bytes it names until it ends", async () => {
    const { database } = world;
    const file = await send(random(1_000));
    const message = await ada.say(room, "", { content: undefined, file_id: file.id });
    const [row] = await database.sql<{ key: string }[]>`
      select encode(sha256, 'hex') as key from message_files where id = ${file.id}`;
    const key = row?.key ?? "";
    const path = join(folder, "deleted.tar");
    await withSnapshot(world.target, null, async () => {
      await ada.delete(`/api/messages/${message.id}`);
      await removeBlobs(database.db, source.storage, [key]);
      expect(await source.storage.exists(key)).toBe(true);
      // One at a time.
      const second = takeBackup(source, path, PLAIN);
      await expect(second).rejects.toThrow("Another backup of this database");
    });
    await removeBlobs(database.db, source.storage, [key]);
    expect(await source.storage.exists(key)).toBe(false);
  });

  test("says which uploads the storage has lost, and saves the rest", async () => {
    const [kept, lost] = [await send(random(500)), await send(random(500))];
    const keys = await world.database.sql<{ key: string; id: string }[]>`
      select encode(sha256, 'hex') as key, id from message_files
      where id in (${kept.id}, ${lost.id})`;
    const lostKey = keys.find(({ id }) => id === lost.id)?.key ?? "";
    await source.storage.remove(lostKey);
    const path = join(folder, "lost.tar");
    const { missing } = await takeBackup(source, path, PLAIN);
    expect(missing).toEqual([lostKey]);
    expect((await verifyBackup(path, READ)).tail.missing).toEqual([lostKey]);
    await world.database.sql`delete from message_files where id = ${lost.id}`;
    await world.database.sql`delete from blobs where sha256 = decode(${lostKey}, 'hex')`;
  });

  test("that is cut off or changed anywhere is noticed, and changes nothing", async () => {
    const path = join(folder, "whole.tar");
    await takeBackup(source, path, PLAIN);
    const whole = Buffer.from(await Bun.file(path).bytes());
    const there = await elsewhere();
    const damaged = join(folder, "damaged.tar");
    const cuts = [100, Math.floor(whole.length / 2), whole.length - 3_000];
    const copies = cuts.map((end) => whole.subarray(0, end));
    // In the middle of a table, of an upload and of the end.
    for (const part of ["database/messages/", "uploads/", "end.json"]) {
      const entry = entriesOf(whole).find(({ name }) => name.startsWith(part));
      const copy = Buffer.from(whole);
      const at = (entry?.from ?? 0) + Math.floor((entry?.size ?? 0) / 2);
      copy[at] = (copy[at] ?? 0) ^ 0xff;
      copies.push(copy);
    }
    for (const [i, copy] of copies.entries()) {
      await Bun.write(damaged, copy);
      const error = await restoreBackup(damaged, there, READ).then(
        () => new Error(`copy ${i} was restored`),
        (refused) => refused,
      );
      expect(`${i}: ${error.message}`).toMatch(/^\d+: (This is not a whole backup|There is)/);
    }
    const sql = postgres({ ...there.target, max: 1 });
    expect(await sql`select to_regclass('users') as users`).toEqual([{ users: null }] as never);
    await sql.end();
    await Bun.write(damaged, whole);
    await restoreBackup(damaged, there, READ);
  });

  test("that is encrypted is read with its key alone", async () => {
    const [identity, other] = [await generateIdentity(), await generateIdentity()];
    const recipients = [await identityToRecipient(identity)];
    const path = join(folder, "sealed.tar.age");
    await takeBackup(source, path, { recipients, uploadsFolder: null });
    const text = await Bun.file(path).text();
    expect(text.startsWith("age-encryption.org/v1")).toBe(true);
    expect(text.includes("snug.json")).toBe(false);
    await expect(verifyBackup(path, READ)).rejects.toThrow("pass the key file with --identity");
    const wrong = verifyBackup(path, { ...READ, identities: [other] });
    await expect(wrong).rejects.toThrow("cannot be decrypted with this key");
    await restoreBackup(path, await elsewhere(), { ...READ, identities: [identity] });
    const bad = takeBackup(source, path, { recipients: ["age1nobody"], uploadsFolder: null });
    await expect(bad).rejects.toThrow("is not an age recipient");
  });

  test("of a version before is restored with its schema, and then migrated", async () => {
    const release = join(import.meta.dir, "../database/releases/0.1.0");
    const old = await elsewhere();
    const sql = postgres({ ...old.target, max: 1, onnotice: () => {} });
    const dump = Bun.gunzipSync(await Bun.file(join(release, "dump.sql.gz")).bytes());
    await sql.unsafe(Buffer.from(dump).toString());
    const [before] = await sql`select count(*)::int as messages from public.messages`;
    await sql.end();
    const { storage } = openStore(testConfig({ DATA_DIR: release }));
    const path = join(folder, "old.tar");
    const taken = { target: old.target, storage, secretKeys: null };
    await takeBackup(taken, path, PLAIN);
    const there = await elsewhere();
    const { migrated } = await restoreBackup(path, there, KEEP);
    expect(migrated).toBeGreaterThan(0);
    const { address } = await serve(there);
    const opens = await Bun.file(join(release, "release.json")).json();
    const { username, password } = opens;
    const login = await new Client(address).post("/api/auth/login", { username, password });
    expect(login.status).toBe(200);
    const after = postgres({ ...there.target, max: 1 });
    expect(await after`select count(*)::int as messages from messages`).toEqual([before] as never);
    await after.end();
  });
});

describe("a restore", () => {
  test("ends sessions and links to choose a password, and counts what else works again", async () => {
    const { sql } = world.database;
    const bot = await ada.post("/api/admin/bots", { username: "builder", display_name: "Builder" });
    expect(bot.status).toBe(201);
    await sql`insert into identity_providers (id, slug, name, issuer, client_id)
      values (${Bun.randomUUIDv7()}, 'work', 'Work', 'https://id.example', 'snug')`;
    await sql`insert into password_resets (id, user_id, token_hash, expires_at)
      values (${Bun.randomUUIDv7()}, ${ada.user.id}, sha256('link'), now() + interval '1 hour')`;
    const path = join(folder, "signed-in.tar");
    await takeBackup(source, path, PLAIN);
    const [before] = await sql<{ sessions: number; people: number }[]>`
      select (select count(*)::int from sessions) as sessions,
        (select count(*)::int from users where not is_bot and is_active) as people`;

    const there = await elsewhere();
    const { ended, revived } = await restoreBackup(path, there, READ);
    expect(ended).toEqual({ sessions: before?.sessions ?? 0, password_resets: 1 });
    expect(revived.active_people).toBe(before?.people ?? 0);
    expect([revived.administrators, revived.identity_providers]).toEqual([1, 1]);
    const { address, stop } = await serve(there);
    const old = new Client(address, ada.cookie, ada.user);
    expect((await old.get("/api/rooms")).status).toBe(401);
    await stop();
    const copy = postgres({ ...there.target, max: 1 });
    const rows = await copy`select from password_resets union all select from push_subscriptions`;
    expect(rows).toHaveLength(0);
    await copy.end();

    const kept = await elsewhere();
    expect((await restoreBackup(path, kept, KEEP)).ended).toBeNull();
    const again = new Client((await serve(kept)).address, ada.cookie, ada.user);
    expect((await again.get("/api/rooms")).status).toBe(200);
    await sql`delete from password_resets`;
    await sql`delete from identity_providers`;
  });
});

test("a row that PostgreSQL refuses ends a restore, also as the last one", async () => {
  const { target } = await elsewhere();
  const sql = openClient(target, 1, { limits: null });
  const { head } = await withSnapshot(world.target, null, async (snapshot) => snapshot);
  const loading = sql.begin(async (tx) => {
    const loader = new DatabaseLoader(tx);
    await loader.use(async () => {
      await loader.begin({ ...head, uploads: "inside" });
      await loader.write("schedules", Buffer.from("a name\tno time\n"));
      await loader.endRows();
    });
  });
  await expect(loading).rejects.toThrow(/invalid input syntax/);
  await sql.end();
});

describe("several backups", () => {
  test("in one folder have each upload once, and the newest are kept", async () => {
    const root = join(folder, "several");
    const settings = { folder: root, keep: 2, recipients: [] };
    const file = await send(random(40_000));
    await ada.say(room, "first", { file_id: file.id });
    const names = async () => (await readdir(root)).filter((name) => name.endsWith(".tar")).sort();
    const uploads = async () =>
      (await readdir(join(root, "uploads"), { recursive: true })).filter((name) =>
        /[0-9a-f]{64}$/.test(name),
      );
    // Left by one that was killed.
    await Bun.write(join(root, "snug-20200101T000000Z.tar.partial"), "half");
    await takeAndRotate(source, settings);
    const [first] = await names();
    const count = (await uploads()).length;
    expect(count).toBeGreaterThan(0);
    expect(await Bun.file(join(root, "snug-20200101T000000Z.tar.partial")).exists()).toBe(false);

    // Older ones, of which two are more than are kept; and an upload that only those had.
    await Bun.write(join(root, "snug-20200101T000000Z.tar"), "old");
    await Bun.write(join(root, "snug-20200102T000000Z.tar"), "old");
    const gone = join(root, "uploads/aa/aa", "a".repeat(64));
    await Bun.write(gone, "old");
    await utimes(gone, new Date(2020, 0, 1), new Date(2020, 0, 1));
    // A backup's name is its second.
    await eventually(async () => {
      await takeAndRotate(source, settings);
      return (await names()).at(-1) !== first;
    });
    const left = await names();
    expect(left.length).toBe(2);
    expect(left).toContain(first ?? "");
    expect((await uploads()).length).toBe(count);
    expect(await Bun.file(gone).exists()).toBe(false);

    const there = await elsewhere();
    const path = join(root, left.at(-1) ?? "");
    await expect(restoreBackup(path, there, READ)).rejects.toThrow("pass it with --uploads");
    const read = { ...READ, uploadsFolder: join(root, "uploads") };
    await restoreBackup(path, there, read);
    const [one = ""] = await uploads();
    expect(await there.store.storage.exists(one.split("/").at(-1) ?? "")).toBe(true);
    await rm(join(root, "uploads", one));
    await expect(verifyBackup(path, read)).rejects.toThrow("The upload");
  });
});

test("the database moves to another PostgreSQL with all its rows and numbers", async () => {
  const { target } = await elsewhere();
  await expect(moveDatabase(world.target, target)).rejects.toThrow("stop it first");
  const copy = await elsewhere();
  const path = join(folder, "moved.tar");
  await takeBackup(source, path, PLAIN);
  await restoreBackup(path, copy, READ);
  await moveDatabase(copy.target, target);
  expect(await contentOf(target)).toEqual(await contentOf(copy.target));
  const sql = postgres({ ...target, max: 1 });
  const there = postgres({ ...copy.target, max: 1 });
  const numbers = "select name, last_seq from rooms order by name nulls last, id";
  expect(await sql.unsafe(numbers)).toEqual(await there.unsafe(numbers));
  await sql.end();
  await there.end();
});
