import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { isDiskFull } from "../platform/storage/storage.ts";
import type { Bytes } from "./archive.ts";
import { BackupError } from "./format.ts";

export class WriteError extends BackupError {
  constructor(path: string, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(
      isDiskFull(cause)
        ? `The disk of ${dirname(path)} is full (${code}): free some space.`
        : `${path} cannot be written (${code ?? message}).`,
    );
  }
}

/**
 * Writes a file, replacing an existing one, and returns after it is flushed to disk. Removes the file
 * if it cannot be completed.
 * @returns the SHA-256 of the content in hex, and its size in bytes
 * @throws WriteError, errors of the source, or the signal's reason
 */
export async function writeStream(
  path: string,
  source: Bytes,
  signal?: AbortSignal,
): Promise<{ sum: string; size: number }> {
  const hasher = new Bun.CryptoHasher("sha256");
  // A symbolic link with this name would redirect the write, and an existing file would keep its mode.
  await rm(path, { force: true });
  const handle = await open(path, "wx", 0o600).catch((error) => {
    throw new WriteError(path, error);
  });
  let size = 0;
  try {
    for await (const chunk of source) {
      signal?.throwIfAborted();
      hasher.update(chunk);
      await writeWholeFile(handle, path, chunk);
      size += chunk.length;
    }
    await handle.sync().catch((error) => {
      throw new WriteError(path, error);
    });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return { sum: hasher.digest("hex"), size };
}

async function writeWholeFile(handle: FileHandle, path: string, chunk: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < chunk.length;) {
      const { bytesWritten } = await handle.write(chunk, at, chunk.length - at);
      at += bytesWritten;
    }
  } catch (error) {
    throw new WriteError(path, error);
  }
}

export class HashedSource {
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

  /** In hex. Can be called only once. */
  digest(): string {
    return this.#hasher.digest("hex");
  }
}
