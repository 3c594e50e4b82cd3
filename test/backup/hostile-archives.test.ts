import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateIdentity } from "age-encryption";
import postgres from "postgres";
import { pack } from "tar-stream";
import { sha256 } from "../../src/backup/format.ts";
import { verifyBackup } from "../../src/backup/read.ts";
import { restoreBackup } from "../../src/backup/restore.ts";
import { openStore } from "../../src/platform/storage/open.ts";
import { emptyDatabase } from "../support/database.ts";
import { testConfig } from "../support/world.ts";

setDefaultTimeout(120_000);

const READ = { identities: [], uploadsFolder: null };
const MIB = 1_024 ** 2;

type Entry = {
  name: string;
  content?: Uint8Array;
  type?: "symlink" | "link" | "directory";
  pax?: Record<string, string>;
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snug-hostile-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes an archive. @param size what the header of its first entry says */
async function forge(entries: Iterable<Entry>, size?: number): Promise<string> {
  const archive = pack();
  const path = join(folder, `${crypto.randomUUID()}.tar`);
  const writer = Bun.file(path).writer();
  const writing = (async () => {
    let isFirst = size !== undefined;
    for await (const chunk of archive as AsyncIterable<Buffer>) {
      void writer.write(isFirst ? withSize(chunk, size ?? 0) : chunk);
      isFirst = false;
    }
    await writer.end();
  })();
  for (const { name, content = new Uint8Array(), type, pax } of entries) {
    const linkname = type ? "/etc/passwd" : undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const header = { name, type, linkname, pax, size: type ? 0 : content.length };
    archive.entry(header, type ? undefined : Buffer.from(content), () => resolve());
    await promise;
  }
  archive.finalize();
  await writing;
  return path;
}

/** Puts another size into a header of ustar, and corrects its sum. */
function withSize(header: Buffer, size: number): Buffer {
  const copy = Buffer.from(header);
  copy.write(`${size.toString(8).padStart(11, "0")} `, 124, "latin1");
  copy.fill(" ", 148, 156);
  const sum = copy.reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return copy;
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const begin = (more: object = {}): Entry => ({
  name: "snug.json",
  content: json({
    format: 1,
    snug: "0.1.0",
    created_at: "2026-11-26T00:00:00.000Z",
    migrations: [],
    tables: [{ name: "users", columns: ["id"] }],
    uploads: "inside",
    secret_keys: null,
    ...more,
  }),
});
const head = begin();
const beside = begin({ uploads: "beside" });

/** An end that says of these parts what is true, but for what is given. */
function end(parts: Entry[], more: object = {}): Entry {
  const sums = Object.fromEntries(
    parts
      .filter(({ name }) => !/^uploads\/\w{64}$/.test(name))
      .map(({ name, content = new Uint8Array() }) => [name, sha256(content)]),
  );
  const tail = { rows: { users: 0 }, sequences: [], sums, uploads: { count: 0, bytes: 0 } };
  return { name: "end.json", content: json({ ...tail, missing: [], ...more }) };
}

const zstd = (text: string | Uint8Array) => Bun.zstdCompressSync(text);
const rows = (content: Uint8Array, name = "database/users/000001.copy.zst"): Entry => ({
  name,
  content,
});
const list = (text: string | Uint8Array): Entry => ({
  name: "uploads/list/000001.txt",
  content: Buffer.from(text),
});
const key = "a".repeat(64);
const empty = sha256(new Uint8Array());

/** Two gigabytes of the same text in about 70 kB. */
function bomb(text: string): Buffer {
  const frame = zstd(Buffer.alloc(64 * MIB, text));
  return Buffer.concat(Array.from({ length: 32 }, () => frame));
}

function* many(count: number, entry: (n: string) => Entry, first = head): Generator<Entry> {
  yield first;
  for (let i = 1; i <= count; i++) yield entry(String(i).padStart(6, "0"));
}

/** Verifies a backup in a process of its own, and prints why it is refused and the most memory that it had, in KiB. */
const MEASURE = `
  import { verifyBackup } from "../../src/backup/read.ts";
  const options = { identities: [], uploadsFolder: null };
  await verifyBackup(process.argv[1], options).catch((error) => console.log(error.message));
  console.log(/VmHWM:\\s+(\\d+)/.exec(await Bun.file("/proc/self/status").text())[1]);`;

describe("an archive that someone has made to do harm", () => {
  const cases: [string, () => Iterable<Entry>, string][] = [
    ["a path upwards", () => [head, { name: "../../evil" }], "is no part"],
    ["an absolute path", () => [head, { name: "/etc/evil" }], "is no part"],
    ["an upload above its folder", () => [head, { name: `uploads/../${key}` }], "is no part"],
    [
      "a table above its folder",
      () => [head, rows(json(1), "database/../x/000001.copy.zst")],
      "no part",
    ],
    [
      "a table that its beginning does not name",
      () => [head, rows(json(1), "database/pg_authid/000001.copy.zst")],
      "is no part",
    ],
    ["a symbolic link", () => [head, { name: `uploads/${key}`, type: "symlink" }], "is a symlink"],
    ["a hard link", () => [head, { name: `uploads/${key}`, type: "link" }], "is a link"],
    ["a folder", () => [head, { name: "uploads", type: "directory" }], "is a directory"],
    ["two beginnings", () => [head, head], "is in it twice"],
    [
      "the same rows twice",
      () => [head, rows(zstd("")), rows(zstd(""))],
      "000001.copy.zst is in it twice",
    ],
    [
      "an upload twice",
      () => [head, { name: `uploads/${key}` }, { name: `uploads/${key}` }],
      "is in it twice",
    ],
    ["something else first", () => [{ name: `uploads/${key}` }, head], "has no beginning"],
    ["no entries", () => [], "has no beginning"],
    ["nothing after its beginning", () => [head], "its end is missing"],
    ["a beginning that says nothing", () => [begin({ tables: 1 })], "is not what it should be"],
    ["a beginning that is not JSON", () => [{ name: "snug.json" }], "is not what it should be"],
    ["a time that is text", () => [begin({ created_at: "\u001b[2J" })], "is not what it should be"],
    [
      "a table with the name of a statement",
      () => [begin({ tables: [{ name: 'users" from stdin; --', columns: [] }] })],
      "is not what it should be",
    ],
    [
      "an end that says nothing",
      () => [head, { name: "end.json", content: json({}) }],
      "is not what it should be",
    ],
    [
      "an end that has more tables",
      () => [head, end([head], { rows: { users: 0, pg_authid: 1 } })],
      "rows of pg_authid are missing",
    ],
    [
      "an end that has more bytes of uploads",
      () => [head, end([head], { uploads: { count: 0, bytes: 1 } })],
      "uploads are missing",
    ],
    ["something after its end", () => [head, end([head]), rows(zstd(""))], "follows its end"],
    ["rows that are not compressed", () => [head, rows(json("plain"))], "cannot be decompressed"],
    [
      "rows that are cut off",
      () => {
        const part = rows(zstd(Buffer.alloc(MIB, "a\n")).subarray(0, -8));
        return [head, part, end([head, part])];
      },
      "cannot be decompressed",
    ],
    [
      "something after its rows",
      () => [head, rows(Buffer.concat([zstd("a\n"), Buffer.from("more")]))],
      "cannot be decompressed",
    ],
    [
      "gigabytes of rows in a few bytes",
      () => [head, rows(bomb("a\n"))],
      "000001.copy.zst becomes too large",
    ],
    [
      "a row of gigabytes",
      () => [head, rows(bomb("a"))],
      "a row of database/users/000001.copy.zst",
    ],
    [
      "gigabytes of rows in many parts",
      () => {
        const content = zstd(Buffer.alloc(32 * MIB, "a\n"));
        return many(64, (n) => rows(content, `database/users/${n}.copy.zst`));
      },
      "becomes too large",
    ],
    [
      "more parts than a backup can have",
      () => many(100_001, (n) => ({ name: `uploads/list/${n}.txt` }), beside),
      "it has too many parts",
    ],
    [
      "a number of a thousand digits",
      () => [head, rows(zstd(""), `database/users/${"1".repeat(1_000)}.copy.zst`)],
      "a name in it is too long",
    ],
    [
      "a name of many megabytes",
      () => [{ name: "n".repeat(32 * MIB) }],
      "a name in it is too long",
    ],
    [
      "a name that a terminal obeys",
      () => [head, { name: "\u001b]0;evil\u0007\u009b2J\u202e" }],
      "backup: ?]0;evil??2J? is no part of one.",
    ],
    ["a size that is no number", () => [{ ...head, pax: { size: "many" } }], "a size in it is no"],
    ["a size below zero", () => [{ ...head, pax: { size: "-5" } }], "a size in it is no size"],
    [
      "a list of uploads, though they are inside",
      () => [head, list(`${empty} 0\n`)],
      "its uploads are not where they should be",
    ],
    [
      "an upload inside, though they are beside it",
      () => [beside, { name: `uploads/${empty}` }],
      "its uploads are not where they should be",
    ],
    [
      "uploads that are not what their names say",
      () => many(100_001, (n) => ({ name: `uploads/${n.padStart(64, "0")}` })),
      "too many uploads are not as they were written",
    ],
  ];

  test.each(cases)("with %s is refused", async (_, entries, message) => {
    const path = await forge(entries());
    // A wait that does not end would be no error.
    const late = Bun.sleep(20_000).then(() => "it is still being read");
    const answer = verifyBackup(path, { ...READ, uploadsFolder: folder }).then(
      () => "it counts as whole",
      (error: Error) => error.message,
    );
    expect(await Promise.race([answer, late])).toContain(message);
  });

  test("with a part that is larger than any is refused before it is read", async () => {
    const path = await forge([head], 2 ** 31);
    await expect(verifyBackup(path, READ)).rejects.toThrow("snug.json is too large");
  });

  test("with a table that Snug does not have leaves the database as it is", async () => {
    const path = await forge([begin({ tables: [{ name: "pg_authid", columns: ["rolname"] }] })]);
    const target = await emptyDatabase();
    const store = openStore(testConfig({ DATA_DIR: join(folder, "data") }));
    const restored = restoreBackup(path, { target, store }, READ);
    await expect(restored).rejects.toThrow("a table that this version of Snug does not have");
    const sql = postgres({ ...target, max: 1 });
    expect(await sql`select to_regclass('users') as users`).toEqual([{ users: null }] as never);
    await sql.end();
  });

  test("with a very long list of recipients is refused before it is read", async () => {
    const path = join(folder, "sealed.tar.age");
    const recipient = `-> X25519 ${"A".repeat(43)}\n${"A".repeat(43)}\n`;
    await Bun.write(path, `age-encryption.org/v1\n${recipient.repeat(10_000)}`);
    const identities = [await generateIdentity()];
    const verified = verifyBackup(path, { ...READ, identities });
    await expect(verified).rejects.toThrow("has no header, or a very long one");
  });

  test("is refused within 200 MiB of memory, whatever it would need", async () => {
    const brackets = Buffer.alloc(64 * MIB, "[");
    const files = [
      await forge([head, rows(bomb("a\n"))]),
      await forge([head, rows(bomb("a"))]),
      await forge([{ name: "snug.json", content: brackets }]),
      await forge([head, { name: "end.json", content: brackets.subarray(0, 20 * MIB) }]),
      await forge([beside, list(Buffer.alloc(64 * MIB, "\n"))]),
    ];
    for (const file of files) {
      const args = [process.execPath, "-e", MEASURE, file];
      const { stdout, stderr } = Bun.spawnSync(args, { cwd: import.meta.dir });
      const [message = "", peak] = stdout.toString().split("\n");
      expect(message + stderr.toString()).toContain("This is not a whole backup");
      expect(Number(peak) / 1_024).toBeWithin(20, 200);
    }
  });
});

describe("a list of uploads", () => {
  const bytes = Buffer.from("an upload");
  const real = sha256(bytes);
  const place = (uploads: string, name: string) =>
    join(uploads, name.slice(0, 2), name.slice(2, 4), name);

  async function verifyList(text: string): Promise<string> {
    const uploads = join(folder, "uploads");
    await Bun.write(place(uploads, real), bytes);
    await mkdir(join(place(uploads, empty), ".."), { recursive: true });
    await symlink("/dev/null", place(uploads, empty)).catch(() => {});
    const part = list(text);
    const tail = end([beside, part], { uploads: { count: 1, bytes: bytes.length } });
    const path = await forge([beside, part, tail]);
    return verifyBackup(path, { ...READ, uploadsFolder: uploads }).then(
      () => "whole",
      (error: Error) => error.message,
    );
  }

  test("names files of the folder by their hash", async () => {
    expect(await verifyList(`${real} ${bytes.length}\n`)).toBe("whole");
  });

  const lines: [string, string, string][] = [
    ["with a path upwards", "../../../etc/hostname 1\n", "names something else"],
    ["with an absolute path", "/etc/hostname 1\n", "names something else"],
    ["without a size", `${real}\n`, "names something else"],
    ["with a size below zero", `${real} -1\n`, "names something else"],
    ["with an empty line", "\n", "names something else"],
    ["that is cut off", `${real} ${bytes.length}`, "names something else"],
    ["with another size", `${real} 5\n`, "has another size than its list says"],
    ["with the same upload twice", `${real} 9\n`.repeat(2), "is in it twice"],
    ["with a link in the folder", `${empty} 0\n`, `The upload ${empty} is not in`],
    ["with an upload that is not there", `${key} 9\n`, `The upload ${key} is not in`],
  ];
  test.each(lines)("%s is refused", async (_, text, message) => {
    expect(await verifyList(text)).toContain(message);
  });
});
