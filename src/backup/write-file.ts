import { open, rm } from "node:fs/promises";
import type { Bytes } from "./archive.ts";

/**
 * Writes a file, and returns when it is on the disk. A file of this name is replaced.
 * @returns the SHA-256 of what was written, in hex, and its size
 */
export async function writeStream(
  path: string,
  source: Bytes,
  signal?: AbortSignal,
): Promise<{ sum: string; size: number }> {
  const hasher = new Bun.CryptoHasher("sha256");
  // A link of this name would lead elsewhere, and an existing file would keep its mode.
  await rm(path, { force: true });
  const handle = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const chunk of source) {
      signal?.throwIfAborted();
      hasher.update(chunk);
      for (let at = 0; at < chunk.length;) {
        const { bytesWritten } = await handle.write(chunk, at, chunk.length - at);
        at += bytesWritten;
      }
      size += chunk.length;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sum: hasher.digest("hex"), size };
}

/** Passes bytes on and computes their hash. */
export class Hashed {
  readonly #hasher = new Bun.CryptoHasher("sha256");
  size = 0;

  constructor(private readonly source: Blob | Bytes) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { source } = this;
    for await (const chunk of source instanceof Blob ? source.stream() : source) {
      this.#hasher.update(chunk);
      this.size += chunk.length;
      yield chunk;
    }
  }

  /** The hash of all bytes, in hex. It can be called once. */
  digest(): string {
    return this.#hasher.digest("hex");
  }
}
