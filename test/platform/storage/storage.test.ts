import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "../../../src/platform/storage/open.ts";
import type { Refusal } from "../../../src/platform/refusal.ts";
import { S3Storage } from "../../../src/platform/storage/s3.ts";
import { MuteServer } from "../../support/mute.ts";
import { Bucket } from "../../support/s3.ts";

let bucket: Bucket;
let dataDir: string;
beforeAll(async () => {
  bucket = await Bucket.open();
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "snug-storage-"));
  return () => rm(dataDir, { recursive: true });
});
afterAll(() => bucket.close());

const keyOf = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const random = (size: number) => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return bytes;
};

function put({ storage, incoming }: Store, bytes: Uint8Array): Promise<string> {
  return incoming.use(async (newPath) => {
    const path = newPath();
    await Bun.write(path, bytes);
    await storage.put(keyOf(bytes), path);
    return keyOf(bytes);
  });
}

describe.each(["disk", "bucket"] as const)("on a %s", (kind) => {
  const open = () => openStore({ dataDir, s3: kind === "bucket" ? bucket.settings : null });
  const read = async (store: Store, ...args: Parameters<Store["storage"]["open"]>) => {
    const tab = await store.storage.open(...args);
    return tab && Buffer.from(await new Response(tab).arrayBuffer());
  };

  // More than one part of a multipart upload to a bucket, less than one, and nothing.
  test.each([12_000_000, 1_000, 0])("%d bytes come back as they were put", async (size) => {
    const store = open();
    const bytes = random(size);
    const key = await put(store, bytes);
    expect(await store.storage.exists(key)).toBe(true);
    expect((await read(store, key))?.equals(bytes)).toBe(true);
  });

  test("a range comes back alone", async () => {
    const store = open();
    const bytes = random(1_000);
    const key = await put(store, bytes);
    const part = await read(store, key, { start: 10, end: 20 });
    expect(part?.equals(bytes.subarray(10, 20))).toBe(true);
  });

  test("the same may be put again", async () => {
    const store = open();
    const bytes = random(100);
    const key = await put(store, bytes);
    expect(await put(store, bytes)).toBe(key);
    expect((await read(store, key))?.equals(bytes)).toBe(true);
  });

  test("what is removed is gone, and may be removed again", async () => {
    const store = open();
    const key = await put(store, random(100));
    await store.storage.remove(key);
    await store.storage.remove(key);
    expect(await store.storage.exists(key)).toBe(false);
    expect(await store.storage.open(key)).toBeNull();
  });

  test("an unknown object is not found", async () => {
    const { storage } = open();
    const key = keyOf(random(9));
    expect([await storage.exists(key), await storage.open(key)]).toEqual([false, null]);
  });

  test("nothing is left in the folder of incoming files", async () => {
    await put(open(), random(10));
    expect(await readdir(join(dataDir, "uploads/incoming"))).toEqual([]);
  });
});

describe("on a disk", () => {
  test("an object lies in two levels of folders", async () => {
    const key = await put(openStore({ dataDir, s3: null }), random(10));
    const place = join(dataDir, "uploads", key.slice(0, 2), key.slice(2, 4), key);
    expect(await Bun.file(place).exists()).toBe(true);
  });

  test("a reader gets all of it while it is replaced or removed", async () => {
    const store = openStore({ dataDir, s3: null });
    const bytes = random(3_000_000);
    const key = await put(store, bytes);
    const tab = await store.storage.open(key);
    const reader = (tab as Blob).stream().getReader();
    const first = await reader.read();
    await put(store, bytes);
    await store.storage.remove(key);
    const chunks = [first.value];
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
    }
    expect(Buffer.concat(chunks as Uint8Array[]).equals(bytes)).toBe(true);
  });
});

describe("in a bucket", () => {
  test("an object lies below uploads", async () => {
    const key = await put(openStore({ dataDir, s3: bucket.settings }), random(10));
    expect(await bucket.keys()).toContain(`uploads/${key}`);
  });

  test("failures are reported as unavailable", async () => {
    const wrong = { ...bucket.settings, secretAccessKey: "wrong" };
    const nowhere = { ...bucket.settings, endpoint: "http://127.0.0.1:1" };
    for (const s3 of [wrong, nowhere]) {
      const store = openStore({ dataDir, s3 });
      const key = keyOf(random(1));
      await expect(put(store, random(10))).rejects.toThrow("unavailable");
      await expect(store.storage.open(key)).rejects.toThrow("unavailable");
      await expect(store.storage.remove(key)).rejects.toThrow("unavailable");
    }
  });
});

describe("an incoming file", () => {
  test("is deleted when the work on it ends, well or not", async () => {
    const { incoming } = openStore({ dataDir, s3: null });
    const failing = incoming.use(async (newPath) => {
      await Promise.all([Bun.write(newPath(), "one"), Bun.write(newPath(), "two")]);
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await readdir(join(dataDir, "uploads/incoming"))).toEqual([]);
  });

  test("of a dead process is deleted, one of a live process is not", async () => {
    const { incoming } = openStore({ dataDir, s3: null });
    const folder = join(dataDir, "uploads/incoming");
    const ages = { left: 61, live: 59 };
    for (const [name, minutes] of Object.entries(ages)) {
      await Bun.write(join(folder, name), "half");
      const at = new Date(Date.now() - minutes * 60_000);
      await utimes(join(folder, name), at, at);
    }
    await incoming.sweep();
    expect(await readdir(folder)).toEqual(["live"]);
  });

  test("can be swept before the folder exists", async () => {
    await openStore({ dataDir, s3: null }).incoming.sweep();
  });
});

test("a bucket that accepts and never answers is unavailable after a timeout", async () => {
  const mute = await MuteServer.open();
  const endpoint = `http://127.0.0.1:${mute.port}`;
  const storage = new S3Storage({ ...bucket.settings, endpoint }, 100);
  const path = join(dataDir, "bytes");
  await Bun.write(path, "x");
  const calls = [
    () => storage.open("a"),
    () => storage.exists("a"),
    () => storage.remove("a"),
    () => storage.put("a", path),
  ];
  for (const call of calls) {
    const started = performance.now();
    expect(await call().catch((error: Refusal) => error.code)).toBe("unavailable");
    expect(performance.now() - started).toBeLessThan(2_000);
  }
  await mute.close();
});
