import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { DiskStorage } from "./disk.ts";
import { Incoming } from "./incoming.ts";
import { type S3Settings, S3Storage } from "./s3.ts";
import type { ByteRange, Storage } from "./storage.ts";

/** Maximum size of a cached object. Avatars and thumbnails are smaller. */
const MAX_OBJECT_BYTES = 32 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * A storage that caches small objects in memory once they were read: opening and sending a file costs
 * more than the rest of a request. The content of a key never changes.
 */
class CachedStorage implements Storage {
  readonly #objects = new LRUCache<string, Blob>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ size }) => size + 1,
  });

  constructor(private readonly files: Storage) {}

  async open(key: string, range?: ByteRange): ReturnType<Storage["open"]> {
    const cached = this.#objects.get(key);
    if (cached) return range ? cached.slice(range.start, range.end) : cached;
    const file = await this.files.open(key, range);
    // Ranges are read from the file.
    if (range || !(file instanceof Blob) || file.size > MAX_OBJECT_BYTES) return file;
    const object = new Blob([await file.arrayBuffer()]);
    this.#objects.set(key, object);
    return object;
  }

  put(key: string, path: string): Promise<void> {
    return this.files.put(key, path);
  }

  exists(key: string): Promise<boolean> {
    return this.files.exists(key);
  }

  remove(key: string): Promise<void> {
    this.#objects.delete(key);
    return this.files.remove(key);
  }
}

/** The storage, and the folder of incoming files. */
export type Store = { storage: Storage; incoming: Incoming };

/**
 * Opens the S3 bucket if configured, otherwise `uploads` in the data folder. Creates nothing yet.
 * @param dataDir contains the folder of incoming files in both cases
 */
export function openStore({ dataDir, s3 }: { dataDir: string; s3: S3Settings | null }): Store {
  const root = join(dataDir, "uploads");
  return {
    storage: s3 ? new S3Storage(s3) : new CachedStorage(new DiskStorage(root)),
    incoming: new Incoming(join(root, "incoming")),
  };
}
