import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ByteRange, Storage } from "./storage.ts";

/**
 * Stores objects as files, in two levels of folders named by the first characters of the key, so that
 * no folder grows too large.
 */
export class DiskStorage implements Storage {
  readonly #root: string;

  /** @param root a folder on the same file system as the folder of incoming files */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Renames the file after it was flushed to disk, so that a partial object is never visible, even
   * after a crash.
   */
  async put(key: string, path: string): Promise<void> {
    const place = this.#place(key);
    const folder = dirname(place);
    await flush(path);
    const createdFolder = await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(path, place);
    await flush(folder);
    // A new folder is an entry of its parent, which must be flushed as well.
    if (createdFolder)
      for (const above of [dirname(folder), this.#root, dirname(this.#root)]) await flush(above);
  }

  async open(key: string, range?: ByteRange): Promise<Blob | null> {
    const file = Bun.file(this.#place(key));
    if (!(await file.exists())) return null;
    return range ? file.slice(range.start, range.end) : file;
  }

  exists(key: string): Promise<boolean> {
    return Bun.file(this.#place(key)).exists();
  }

  async remove(key: string): Promise<void> {
    await rm(this.#place(key), { force: true });
  }

  #place(key: string): string {
    return join(this.#root, key.slice(0, 2), key.slice(2, 4), key);
  }
}

export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
