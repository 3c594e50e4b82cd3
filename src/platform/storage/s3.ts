import { rm } from "node:fs/promises";
import { S3Client } from "bun";
import { getLogger } from "../log.ts";
import { Refusal } from "../refusal.ts";
import { createTimeout, waitUnlessAborted } from "../concurrency/timeout.ts";
import type { ByteRange, Storage } from "./storage.ts";

const log = getLogger("storage");
const PREFIX = "uploads/";
/** The minimum part size of S3. Parts are sent one at a time, since each is held in memory. */
const PART_BYTES = 5 * 1_024 ** 2;
/** Timeout until the response starts. Uploads get more time for their size, at this minimum rate. */
const TIMEOUT_MS = 15_000;
const MIN_BYTES_PER_MS = 256;
/**
 * Objects up to this size are buffered in memory: Bun 1.4.5 uses chunked encoding for streams, and
 * sends a Content-Length only for buffers.
 */
const MAX_BUFFERED_BYTES = 1_024 ** 2;
/** Validity of signed URLs in seconds. This process uses them immediately. */
const SIGNED_FOR = 60;

export type S3Settings = {
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string | null;
  endpoint: string | null;
};

/**
 * Stores objects in one bucket, below `uploads/`. While S3 is unavailable, calls throw a Refusal
 * `unavailable`.
 */
export class S3Storage implements Storage {
  readonly #client: S3Client;
  /**
   * The percent-encoded access key: Bun 1.4.5 inserts it unencoded into URLs and signatures. Keys of
   * OpenStack Swift contain a colon.
   */
  readonly #keyInUrl: string;

  constructor(
    { region, endpoint, ...settings }: S3Settings,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.#keyInUrl = encodeURIComponent(settings.accessKeyId);
    this.#client = new S3Client({
      ...settings,
      ...(region ? { region } : {}),
      ...(endpoint ? { endpoint } : {}),
    });
  }

  async put(key: string, path: string): Promise<void> {
    const file = Bun.file(path);
    // Bun 1.4.5 would wait for an empty file as for a pipe.
    const body = file.size > 0 ? file : new Uint8Array();
    const options = { partSize: PART_BYTES, queueSize: 1 };
    const ms = this.timeoutMs + file.size / MIN_BYTES_PER_MS;
    await attempt(this.#client.write(PREFIX + key, body, options), ms);
    await rm(path, { force: true });
  }

  /** Uses a signed URL, so that one request both checks that the object exists and streams it. */
  async open(key: string, range?: ByteRange): Promise<Blob | ReadableStream<Uint8Array> | null> {
    const options = { expiresIn: SIGNED_FOR, accessKeyId: this.#keyInUrl };
    const url = this.#client.presign(PREFIX + key, options);
    const headers: Record<string, string> = { "accept-encoding": "identity" };
    if (range) headers.range = `bytes=${range.start}-${range.end - 1}`;
    const late = new AbortController();
    const request = fetch(url, { headers, signal: late.signal });
    const response = await attempt(request, this.timeoutMs).catch((error) => {
      late.abort();
      throw error;
    });
    if (response.status === 404) return null;
    if (response.status !== (range ? 206 : 200)) {
      await response.body?.cancel();
      return failUnavailable(`status ${response.status}`);
    }
    // Without a Content-Length the object may not fit in memory.
    const length = Number(response.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
    if (length > MAX_BUFFERED_BYTES) return response.body ?? new Blob().stream();
    return attempt(response.blob(), this.timeoutMs).catch((error) => {
      late.abort();
      throw error;
    });
  }

  exists(key: string): Promise<boolean> {
    return attempt(this.#client.exists(PREFIX + key), this.timeoutMs);
  }

  async remove(key: string): Promise<void> {
    await attempt(this.#client.delete(PREFIX + key), this.timeoutMs);
  }
}

/** Applies a timeout to a call that the client cannot abort. */
function attempt<T>(call: Promise<T>, timeoutMs: number): Promise<T> {
  const signal = createTimeout(timeoutMs, () => new Error(`no response within ${timeoutMs} ms`));
  return waitUnlessAborted(call, signal).catch((error) => failUnavailable(String(error)));
}

function failUnavailable(error: string): never {
  log.warn("A request to the S3 bucket failed.", { error });
  throw new Refusal("unavailable", "File storage is unavailable. Try again in a moment.", {
    retryAfter: 5,
  });
}
