import { once } from "node:events";
import { type Entry, extract, pack } from "tar-stream";
import { BackupError } from "./format.ts";

export type Bytes = AsyncIterable<Uint8Array>;

/** Writes entries one after the other; `bytes` is the archive, to be read at the same time. */
export class ArchiveWriter {
  readonly #pack = pack();
  readonly bytes: Bytes = this.#pack;

  async add(name: string, content: Uint8Array): Promise<void> {
    await this.addStream(name, content.length, [content]);
  }

  /** @throws BackupError if there are fewer or more bytes than `size` */
  async addStream(
    name: string,
    size: number,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    const { promise: done, resolve, reject } = Promise.withResolvers<void>();
    done.catch(() => {});
    const entry = this.#pack.entry({ name, size, mode: 0o600 }, (error) =>
      error ? reject(error) : resolve(),
    );
    let written = 0;
    for await (const chunk of content) {
      written += chunk.length;
      if (written > size) break;
      // Waits for the reader of the archive; a reader that has failed ends the wait.
      if (!entry.write(chunk)) await Promise.race([once(entry, "drain"), done]);
    }
    if (written !== size) {
      throw new BackupError(`${name} has changed while it was read: the backup was given up.`);
    }
    entry.end();
    await done;
  }

  end(): void {
    this.#pack.finalize();
  }

  /** Ends the archive early, for the reader too. */
  abort(error: Error): void {
    this.#pack.destroy(error);
  }
}

/** The bytes are not an archive, or an incomplete one. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

export type ArchiveEntry = { name: string; size: number; content: Bytes };

/** Reads the entries of an archive in order. Each has to be read to its end before the next. */
export async function* readArchive(source: Bytes): AsyncGenerator<ArchiveEntry> {
  const extraction = extract();
  const pump = async () => {
    for await (const chunk of source) {
      if (!extraction.write(chunk)) await once(extraction, "drain");
    }
    extraction.end();
  };
  let cause: Error | undefined;
  const pumping = pump().catch((error) => {
    cause = error;
    extraction.destroy(error);
  });
  const toError = (error: unknown) => new ArchiveError((cause ?? (error as Error)).message);
  for await (const entry of rethrow(extraction as AsyncIterable<Entry>, toError)) {
    const { name, size = 0 } = entry.header;
    yield { name, size, content: rethrow(entry, toError) };
  }
  await pumping;
}

async function* rethrow<T>(
  source: AsyncIterable<T>,
  toError: (error: unknown) => Error,
): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    throw toError(error);
  }
}

/** Reads a stream into memory: for the small parts of a backup. */
export async function readAll(content: Bytes): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content));
}
