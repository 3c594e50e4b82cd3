import { rm } from "node:fs/promises";
import { S3Client } from "bun";
import { getLogger } from "../log.ts";
import { Refusal } from "../refusal.ts";
import type { ByteRange, Storage } from "./storage.ts";

const log = getLogger("storage");
const PREFIX = "uploads/";
/** For a signed address that this process uses at once, in seconds. */
const SIGNED_FOR = 60;

export type S3Settings = {
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string | null;
  endpoint: string | null;
};

/** Objects of one bucket, below `uploads/`. While it is away, callers hear `unavailable`. */
export class S3Storage implements Storage {
  readonly #client: S3Client;

  constructor({ region, endpoint, ...settings }: S3Settings) {
    this.#client = new S3Client({
      ...settings,
      ...(region ? { region } : {}),
      ...(endpoint ? { endpoint } : {}),
    });
  }

  async put(key: string, path: string): Promise<void> {
    const file = Bun.file(path);
    // An empty file is given as no bytes: Bun 1.4.5 watches it as if it were a pipe.
    await attempt(this.#client.write(PREFIX + key, file.size > 0 ? file : new Uint8Array()));
    await rm(path, { force: true });
  }

  /** By a signed address: one request tells whether it is there and carries it, as fast as it is read. */
  async open(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null> {
    const url = this.#client.presign(PREFIX + key, { expiresIn: SIGNED_FOR });
    const headers: Record<string, string> = { "accept-encoding": "identity" };
    if (range) headers.range = `bytes=${range.start}-${range.end - 1}`;
    const response = await attempt(fetch(url, { headers }));
    if (response.status === 404) return null;
    if (response.status !== (range ? 206 : 200)) {
      await response.body?.cancel();
      return away(`status ${response.status}`);
    }
    return response.body ?? new Blob().stream();
  }

  exists(key: string): Promise<boolean> {
    return attempt(this.#client.exists(PREFIX + key));
  }

  async remove(key: string): Promise<void> {
    await attempt(this.#client.delete(PREFIX + key));
  }
}

function attempt<T>(call: Promise<T>): Promise<T> {
  return call.catch((error) => away(String(error)));
}

function away(error: string): never {
  log.error("The bucket does not do what it is asked.", { error });
  throw new Refusal("unavailable", "The storage of files is away. Try again in a moment.", {
    retryAfter: 5,
  });
}
