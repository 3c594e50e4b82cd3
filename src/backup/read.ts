import { decryptBytes } from "./age.ts";
import { type ArchiveEntry, ArchiveError, type Bytes, readAll, readArchive } from "./archive.ts";
import { countLines } from "./dump.ts";
import { BackupError, FORMAT, HEAD, type Head, sha256, TAIL, type Tail } from "./format.ts";
import { openBeside } from "./uploads.ts";
import { Hashed } from "./write-file.ts";

export type ReadOptions = {
  /** Lines of an identity file of age. */
  identities: readonly string[];
  /** The folder with the uploads that are not in the archive. */
  uploadsFolder: string | null;
};

/** Receives the parts of a backup, in this order. */
type BackupVisitor = {
  head?(head: Head): Promise<void>;
  /** Some rows as COPY wrote them, perhaps cut within a row. */
  rows?(table: string, text: Uint8Array): Promise<void>;
  /** Called after the last rows of all tables. */
  rowsEnd?(): Promise<void>;
  /** Bytes of an upload; they must be read to their end. */
  upload?(key: string, content: Bytes): Promise<void>;
};

export type BackupContent = { head: Head; tail: Tail };

/**
 * Reads a backup, passes on what it finds, and checks all of it. What was passed on counts only when
 * this returns: a file that was cut off is noticed at its end.
 * @throws BackupError if it is not whole, or not a backup
 */
export async function readBackup(
  path: string,
  options: ReadOptions,
  visitor: BackupVisitor,
): Promise<BackupContent> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new BackupError(`There is no file ${path}.`);
  const plain = await decryptBytes(file.stream(), options.identities);
  const reader = new BackupReader(options, visitor);
  try {
    for await (const entry of readArchive(plain)) await reader.read(entry);
  } catch (error) {
    throw isFormatError(error) ? damaged((error as Error).message) : error;
  }
  return reader.finish();
}

/** Reads a backup only to check it. */
export function verifyBackup(path: string, options: ReadOptions): Promise<BackupContent> {
  return readBackup(path, options, {});
}

class BackupReader {
  #head: Head | null = null;
  #tail: Tail | null = null;
  readonly #sums: Record<string, string> = {};
  readonly #rows: Record<string, number> = {};
  readonly #bad: string[] = [];
  #uploads = 0;
  #areRowsRead = false;

  constructor(
    private readonly options: ReadOptions,
    private readonly visitor: BackupVisitor,
  ) {}

  async read({ name, content }: ArchiveEntry): Promise<void> {
    const key = /^uploads\/([0-9a-f]{64})$/.exec(name)?.[1];
    if (this.#head && !name.startsWith("database/")) await this.#endRows();
    if (key) return this.#readUpload(key, content);
    const bytes = await readAll(content);
    if (name === TAIL) {
      this.#tail = JSON.parse(bytes.toString());
      return;
    }
    this.#sums[name] = sha256(bytes);
    if (name === HEAD) return this.#readHead(bytes);
    const table = /^database\/([^/]+)\/\d+\.copy\.zst$/.exec(name)?.[1];
    if (table) return this.#readRows(table, await Bun.zstdDecompress(bytes));
    if (name.startsWith("uploads/list/")) return this.#readList(bytes.toString());
    throw damaged(`${name} is no part of one`);
  }

  async #readHead(bytes: Buffer): Promise<void> {
    const head: Head = JSON.parse(bytes.toString());
    if (head.format !== FORMAT) {
      throw new BackupError("The backup is of a newer version of Snug: use that version.");
    }
    this.#head = head;
    for (const { name } of head.tables) this.#rows[name] = 0;
    await this.visitor.head?.(head);
  }

  async #readRows(table: string, text: Uint8Array): Promise<void> {
    this.#rows[table] = (this.#rows[table] ?? 0) + countLines(text);
    await this.visitor.rows?.(table, text);
  }

  async #endRows(): Promise<void> {
    if (this.#areRowsRead) return;
    this.#areRowsRead = true;
    await this.visitor.rowsEnd?.();
  }

  async #readUpload(key: string, bytes: Bytes): Promise<void> {
    const content = new Hashed(bytes);
    if (this.visitor.upload) await this.visitor.upload(key, content);
    else for await (const _ of content);
    if (content.digest() !== key) this.#bad.push(key);
    this.#uploads += 1;
  }

  async #readList(text: string): Promise<void> {
    const { uploadsFolder, identities } = this.options;
    for (const line of text.split("\n").filter(Boolean)) {
      const [key = ""] = line.split(" ");
      if (!/^[0-9a-f]{64}$/.test(key)) throw damaged("a list of uploads names something else");
      const found = uploadsFolder === null ? null : await openBeside(uploadsFolder, key);
      if (!found) {
        throw new BackupError(
          uploadsFolder === null
            ? "The uploads of this backup are in a folder of their own: give it with --uploads."
            : `The upload ${key} is not in ${uploadsFolder}.`,
        );
      }
      await this.#readUpload(key, await decryptBytes(found, identities));
    }
  }

  finish(): BackupContent {
    const [head, tail] = [this.#head, this.#tail];
    if (!head) throw damaged("it has no beginning");
    if (!tail) throw damaged("its end is missing");
    for (const name of new Set([...Object.keys(tail.sums), ...Object.keys(this.#sums)])) {
      if (tail.sums[name] !== this.#sums[name]) throw damaged(`${name} is not as it was written`);
    }
    for (const { name } of head.tables) {
      if (tail.rows[name] !== this.#rows[name]) throw damaged(`rows of ${name} are missing`);
    }
    if (tail.uploads.count !== this.#uploads) throw damaged("uploads are missing");
    // Some uploads were damaged in the storage already: the backup lists them.
    const bad = this.#bad.find((key) => !tail.missing.includes(key));
    if (bad) throw damaged(`the upload ${bad} is not as it was written`);
    return { head, tail };
  }
}

function damaged(what: string): BackupError {
  return new BackupError(`This is not a whole backup: ${what}.`);
}

/** Whether an error comes from the archive, the compression or the JSON. */
function isFormatError(error: unknown): boolean {
  const { message = "" } = error as Error;
  return (
    error instanceof ArchiveError || error instanceof SyntaxError || /decompress/i.test(message)
  );
}
