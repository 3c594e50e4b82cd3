import { decryptBytes } from "./age.ts";
import {
  type ArchiveEntry,
  ArchiveError,
  type Bytes,
  readAll,
  readArchive,
  rethrow,
  toStream,
} from "./archive.ts";
import { countLines } from "./dump.ts";
import {
  BackupError,
  createDamagedError,
  HEAD,
  type Head,
  MAX_BYTES,
  MAX_MISSING,
  MAX_PARTS,
  parseHead,
  parseList,
  parseTail,
  sha256,
  TAIL,
  type Tail,
} from "./format.ts";
import { openBeside } from "./uploads.ts";
import { HashedSource } from "./write-file.ts";

/**
 * Maximum compression ratio, as a defense against decompression bombs. Real rows contain unique ids and
 * compress to about a hundredth at best.
 */
const MAX_RATIO = 1_000;
/** Below this many bytes the ratio is not checked. */
const FREE_BYTES = 64 * 1_024 ** 2;
/** Maximum bytes of one row, since PostgreSQL holds a row in memory. */
const MAX_ROW_BYTES = 64 * 1_024 ** 2;
const NEW_LINE = 10;

class RowExpander {
  #compressedBytes = 0;
  #expandedBytes = 0;
  #rowBytes = 0;

  /** @throws BackupError */
  async *expand(name: string, content: Bytes): AsyncGenerator<Uint8Array> {
    // Bun's stream detects truncated and trailing data; node:zlib's does not.
    const zstd = new DecompressionStream("zstd" as CompressionFormat);
    const stream = toStream(this.#count(content)).pipeThrough(zstd);
    const toError = (error: unknown) =>
      error instanceof BackupError ? error : createDamagedError(`${name} cannot be decompressed`);
    for await (const chunk of rethrow(stream as Bytes, toError)) {
      this.#check(name, chunk);
      yield chunk;
    }
  }

  async *#count(content: Bytes): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.#compressedBytes += chunk.length;
      yield chunk;
    }
  }

  #check(name: string, chunk: Uint8Array): void {
    this.#expandedBytes += chunk.length;
    const isTooMuch = this.#expandedBytes > FREE_BYTES + MAX_RATIO * this.#compressedBytes;
    const end = chunk.lastIndexOf(NEW_LINE);
    this.#rowBytes = end === -1 ? this.#rowBytes + chunk.length : chunk.length - end - 1;
    if (isTooMuch) throw createDamagedError(`${name} becomes too large`);
    if (this.#rowBytes > MAX_ROW_BYTES) throw createDamagedError(`a row of ${name} is too large`);
  }
}

/** PostgreSQL's table names have at most 63 characters. */
const MAX_NAME_LENGTH = 100;

export type ReadOptions = {
  identities: readonly string[];
  uploadsFolder: string | null;
};

type BackupVisitor = {
  head?(head: Head): Promise<void>;
  /** Rows in COPY's text format; a chunk may end within a row. */
  rows?(table: string, text: Uint8Array): Promise<void>;
  /** Called after the last row of the last table. */
  rowsEnd?(): Promise<void>;
  /** The content of an upload, which must be consumed completely. */
  upload?(key: string, content: Bytes): Promise<void>;
};

type BackupContent = { head: Head; tail: Tail };

/**
 * Reads and checks a backup, and passes its contents to the visitor. Use them only after this function
 * returns: a truncated file is detected at its end.
 * @throws BackupError if the file is not a complete backup
 */
export async function readBackup(
  path: string,
  options: ReadOptions,
  visitor: BackupVisitor,
): Promise<BackupContent> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new BackupError(`There is no file ${path}.`);
  const content = await decryptBytes(file.stream(), options.identities);
  const reader = new BackupReader(options, visitor);
  try {
    for await (const entry of readArchive(content)) await reader.read(entry);
  } catch (error) {
    throw error instanceof ArchiveError ? createDamagedError(error.message) : error;
  }
  return reader.finish();
}

export function verifyBackup(path: string, options: ReadOptions): Promise<BackupContent> {
  return readBackup(path, options, {});
}

class BackupReader {
  #head: Head | null = null;
  #tail: Tail | null = null;
  /** The SHA-256 of each entry except uploads and `end.json`, by entry name. */
  readonly #sums = new Map<string, string>();
  readonly #rows = new Map<string, number>();
  readonly #expander = new RowExpander();
  readonly #damagedKeys: string[] = [];
  readonly #uploads = { count: 0, bytes: 0, last: "" };
  #areRowsRead = false;

  constructor(
    private readonly options: ReadOptions,
    private readonly visitor: BackupVisitor,
  ) {}

  async read({ name, type, size, content }: ArchiveEntry): Promise<void> {
    if (name.length > MAX_NAME_LENGTH) throw createDamagedError("a name in it is too long");
    if (type !== "file") throw createDamagedError(`${name} is a ${type}`);
    if (!this.#head && name !== HEAD) throw createDamagedError("it has no beginning");
    if (this.#tail) throw createDamagedError(`${name} follows its end`);
    if (this.#head && !name.startsWith("database/")) await this.#endRows();
    const key = /^uploads\/([0-9a-f]{64})$/.exec(name)?.[1];
    if (key) {
      await this.#readUpload("inside", key, content);
      return;
    }
    if (this.#sums.has(name)) throw createDamagedError(`${name} is in it twice`);
    if (this.#sums.size === MAX_PARTS) throw createDamagedError("it has too many parts");
    const table = /^database\/(\w+)\/\d{6,9}\.copy\.zst$/.exec(name)?.[1];
    if (table && this.#rows.has(table)) return this.#readRows(table, name, content);
    const max = limitOf(name);
    if (max === null) throw createDamagedError(`${name} is no part of one`);
    if (size > max) throw createDamagedError(`${name} is too large`);
    const bytes = await readAll(content);
    if (name === TAIL) {
      this.#tail = parseTail(bytes);
      return;
    }
    this.#sums.set(name, sha256(bytes));
    if (name === HEAD) return this.#readHead(bytes);
    return this.#readList(bytes);
  }

  async #readHead(bytes: Buffer): Promise<void> {
    const head = parseHead(bytes);
    this.#head = head;
    for (const { name } of head.tables) this.#rows.set(name, 0);
    await this.visitor.head?.(head);
  }

  async #readRows(table: string, name: string, bytes: Bytes): Promise<void> {
    if (this.#areRowsRead) throw createDamagedError(`rows of ${table} come too late`);
    const content = new HashedSource(bytes);
    for await (const text of this.#expander.expand(name, content)) {
      this.#rows.set(table, (this.#rows.get(table) ?? 0) + countLines(text));
      await this.visitor.rows?.(table, text);
    }
    this.#sums.set(name, content.digest());
  }

  async #endRows(): Promise<void> {
    if (this.#areRowsRead) return;
    this.#areRowsRead = true;
    await this.visitor.rowsEnd?.();
  }

  /** @returns the size in bytes */
  async #readUpload(place: Head["uploads"], key: string, bytes: Bytes): Promise<number> {
    this.#checkPlace(place);
    // Uploads are written in ascending order.
    if (key <= this.#uploads.last) throw createDamagedError(`the upload ${key} is in it twice`);
    this.#uploads.last = key;
    const content = new HashedSource(bytes);
    if (this.visitor.upload) await this.visitor.upload(key, content);
    else for await (const _ of content);
    if (content.digest() !== key) this.#damagedKeys.push(key);
    if (this.#damagedKeys.length > MAX_MISSING)
      throw createDamagedError("too many uploads are not as they were written");
    this.#uploads.count += 1;
    this.#uploads.bytes += content.size;
    return content.size;
  }

  async #readList(bytes: Buffer): Promise<void> {
    this.#checkPlace("beside");
    const { uploadsFolder, identities } = this.options;
    for (const { key, size } of parseList(bytes)) {
      const upload = uploadsFolder === null ? null : await openBeside(uploadsFolder, key);
      if (!upload) {
        throw new BackupError(
          uploadsFolder === null
            ? "The uploads of this backup are in a separate folder: pass it with --uploads."
            : `The upload ${key} is not in ${uploadsFolder}.`,
        );
      }
      const content = await decryptBytes(upload, identities);
      if ((await this.#readUpload("beside", key, content)) !== size) {
        throw createDamagedError(`the upload ${key} has another size than its list says`);
      }
    }
  }

  #checkPlace(place: Head["uploads"]): void {
    if (this.#head?.uploads !== place)
      throw createDamagedError("its uploads are not where they should be");
  }

  finish(): BackupContent {
    const [head, tail] = [this.#head, this.#tail];
    if (!head) throw createDamagedError("it has no beginning");
    if (!tail) throw createDamagedError("its end is missing");
    for (const name of new Set([...Object.keys(tail.sums), ...this.#sums.keys()])) {
      if (tail.sums[name] !== this.#sums.get(name))
        throw createDamagedError(`${name} is not as it was written`);
    }
    for (const name of new Set([...Object.keys(tail.rows), ...this.#rows.keys()])) {
      if (tail.rows[name] !== this.#rows.get(name))
        throw createDamagedError(`rows of ${name} are missing`);
    }
    const { count, bytes } = this.#uploads;
    if (tail.uploads.count !== count || tail.uploads.bytes !== bytes) {
      throw createDamagedError("uploads are missing");
    }
    // Uploads that were already damaged in the storage are listed in the backup.
    const missingKeys = new Set(tail.missing);
    const damagedKey = this.#damagedKeys.find((key) => !missingKeys.has(key));
    if (damagedKey) throw createDamagedError(`the upload ${damagedKey} is not as it was written`);
    return { head, tail };
  }
}

/** Maximum bytes of an entry that is read into memory; null if the entry does not belong in a backup. */
function limitOf(name: string): number | null {
  if (name === HEAD) return MAX_BYTES.head;
  if (name === TAIL) return MAX_BYTES.tail;
  return /^uploads\/list\/\d{6,9}\.txt$/.test(name) ? MAX_BYTES.list : null;
}
