import { once } from "node:events";
import { type Entry, extract, pack } from "tar-stream";
import { BackupError } from "./format.ts";

export type Bytes = AsyncIterable<Uint8Array>;

/** Writes entries sequentially. `bytes` is the archive and must be consumed at the same time. */
export class ArchiveWriter {
  readonly #pack = pack();
  readonly bytes: Bytes = this.#pack;

  async add(name: string, content: Uint8Array): Promise<void> {
    await this.addStream(name, content.length, [content]);
  }

  /** @throws BackupError if the number of bytes differs from `size` */
  async addStream(
    name: string,
    size: number,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    const { promise: completion, resolve, reject } = Promise.withResolvers<void>();
    completion.catch(() => {});
    const entry = this.#pack.entry({ name, size, mode: 0o600 }, (error) =>
      error ? reject(error) : resolve(),
    );
    let writtenBytes = 0;
    for await (const chunk of content) {
      writtenBytes += chunk.length;
      if (writtenBytes > size) break;
      // Waits for the archive's consumer; stops waiting if it has failed.
      if (!entry.write(chunk)) await Promise.race([once(entry, "drain"), completion]);
    }
    if (writtenBytes !== size) {
      throw new BackupError(
        `${name} changed while it was being read, so the backup was abandoned.`,
      );
    }
    entry.end();
    await completion;
  }

  end(): void {
    this.#pack.finalize();
  }

  /** Ends the archive early with an error, which its consumer receives as well. */
  abort(error: Error): void {
    this.#pack.destroy(error);
  }
}

/** The bytes are not an archive, or the archive is incomplete. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** `type` is `file`, `symlink`, `directory` or another type of tar entry. */
export type ArchiveEntry = { name: string; type: string; size: number; content: Bytes };

/** Maximum bytes of headers before an entry: tar-stream buffers them in memory. */
const MAX_HEADER_BYTES = 8 * 1_024 ** 2;

/** Reads the entries of an archive in order. Consume each entry completely before the next one. */
export async function* readArchive(source: Bytes): AsyncGenerator<ArchiveEntry> {
  const extraction = extract();
  let unread = 0;
  const pump = async () => {
    for await (const chunk of source) {
      unread += chunk.length;
      if (unread > MAX_HEADER_BYTES) throw new ArchiveError("a name in it is too long");
      if (!extraction.write(chunk)) await once(extraction, "drain");
    }
    extraction.end();
  };
  let cause: Error | undefined;
  const transfer = pump().catch((error) => {
    cause = error;
    extraction.destroy(error);
  });
  const toError = (error: unknown) => new ArchiveError((cause ?? (error as Error)).message);
  for await (const entry of rethrow(extraction as AsyncIterable<Entry>, toError)) {
    const { name, size = 0, type } = entry.header;
    // tar-stream would wait forever for the end of an entry with any other size.
    if (!Number.isSafeInteger(size) || size < 0) throw new ArchiveError("a size in it is no size");
    unread = 0;
    const content = rethrow(entry, toError, () => {
      unread = 0;
    });
    yield { name, type: type ?? "file", size, content };
  }
  await transfer;
}

export async function* rethrow<T>(
  source: AsyncIterable<T>,
  toError: (error: unknown) => Error,
  onRead: () => void = () => {},
): AsyncGenerator<T> {
  try {
    for await (const item of source) {
      onRead();
      yield item;
    }
  } catch (error) {
    throw toError(error);
  }
}

/** Only for small entries. */
export async function readAll(content: Bytes): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content));
}

export function toStream(source: Bytes): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const next = await iterator.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value as Uint8Array<ArrayBuffer>);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 1 },
  );
}
