import { lstat, mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { DiskStorage } from "../platform/storage/disk.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { encryptBytes } from "./age.ts";
import type { ArchiveWriter, Bytes } from "./archive.ts";
import { listBlobs, readBlobUses, type Snapshot } from "./dump.ts";
import { BackupError, LIST_LENGTH, MAX_MISSING, pieceName, sha256, type Tail } from "./format.ts";
import { HashedSource, writeStream } from "./write-file.ts";

const PAGE = 1_000;
/** Number of uploads to request ahead, to hide the latency of S3. */
const AHEAD = 4;

type Upload = { key: string; size: number };
type ReadUpload = Upload & { bytes: Blob | ReadableStream<Uint8Array> | null };
type Result = Pick<Tail, "uploads" | "missing">;

export async function addUploads(
  snapshot: Snapshot,
  storage: Storage,
  writer: ArchiveWriter,
  signal?: AbortSignal,
): Promise<Result> {
  const result: Result = { uploads: { count: 0, bytes: 0 }, missing: [] };
  for await (const { key, size, bytes } of openAhead(storage, listUploads(snapshot))) {
    signal?.throwIfAborted();
    if (!bytes || (bytes instanceof Blob && bytes.size !== size)) {
      addMissingUpload(result, key);
      continue;
    }
    const content = new HashedSource(bytes);
    await writer.addStream(`uploads/${key}`, size, content);
    if (content.digest() !== key) addMissingUpload(result, key);
    count(result, size);
  }
  return result;
}

/**
 * Copies the uploads in the snapshot to the folder, except those it has already, and lists all of them
 * in the archive. Each further backup copies only new uploads.
 */
export async function addUploadsToFolder(
  snapshot: Snapshot,
  storage: Storage,
  writer: ArchiveWriter,
  folder: UploadsFolder,
  signal?: AbortSignal,
): Promise<Result & Pick<Tail, "sums">> {
  const result = { uploads: { count: 0, bytes: 0 }, missing: [] as string[] };
  const sums: Tail["sums"] = {};
  let lines: string[] = [];
  const flush = async () => {
    const name = pieceName("uploads/list", Object.keys(sums).length + 1, ".txt");
    const content = Buffer.from(lines.join(""));
    lines = [];
    sums[name] = sha256(content);
    await writer.add(name, content);
  };
  for await (const { key, size } of listUploads(snapshot)) {
    signal?.throwIfAborted();
    if (!(await folder.keep(key, size)) && !(await folder.copy(storage, key, size))) {
      addMissingUpload(result, key);
      continue;
    }
    lines.push(`${key} ${size}\n`);
    count(result, size);
    if (lines.length >= LIST_LENGTH) await flush();
  }
  if (lines.length > 0) await flush();
  return { ...result, sums };
}

/** Shared by several backups. Files are named by SHA-256 and encrypted like the archives. */
export class UploadsFolder {
  readonly #files: DiskStorage;
  readonly #suffix: string;

  constructor(
    readonly root: string,
    readonly recipients: readonly string[],
  ) {
    this.#files = new DiskStorage(root);
    this.#suffix = recipients.length > 0 ? ".age" : "";
  }

  /** Marks an upload as needed. @returns false if it is missing or incomplete */
  async keep(key: string, size: number): Promise<boolean> {
    const path = pathOf(this.root, key + this.#suffix);
    const stats = await stat(path).catch(() => null);
    if (!stats || (this.#suffix === "" && stats.size !== size)) return false;
    const now = new Date();
    await utimes(path, now, now);
    return true;
  }

  /** @returns false if the upload is missing or damaged in the storage */
  async copy(storage: Storage, key: string, size: number): Promise<boolean> {
    const bytes = await storage.open(key);
    if (!bytes) return false;
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    const draft = join(this.root, `${key}.partial`);
    const content = new HashedSource(bytes);
    await writeStream(draft, await encryptBytes(content, this.recipients));
    if (content.digest() !== key || content.size !== size) {
      await rm(draft);
      return false;
    }
    await this.#files.put(key + this.#suffix, draft);
    return true;
  }

  /**
   * Deletes uploads that no backup since then has needed, and leftovers of interrupted backups.
   * @returns the number of deleted files
   */
  async prune(since: Date): Promise<number> {
    const names = await readdir(this.root, { recursive: true }).catch(() => []);
    let count = 0;
    for (const name of names) {
      const path = join(this.root, name);
      const stats = await stat(path).catch(() => null);
      if (!stats?.isFile() || stats.mtime >= since) continue;
      await rm(path, { force: true });
      count += 1;
    }
    return count;
  }
}

/** Opens an upload in such a folder, possibly encrypted; null if it is missing. */
export async function openBeside(root: string, key: string): Promise<Bytes | null> {
  for (const suffix of ["", ".age"]) {
    const path = pathOf(root, key + suffix);
    // Skips links, pipes and devices.
    const stats = await lstat(path).catch(() => null);
    if (stats?.isFile()) return Bun.file(path).stream();
  }
  return null;
}

/** The path of a file, laid out as in DiskStorage. */
const pathOf = (root: string, name: string) => join(root, name.slice(0, 2), name.slice(2, 4), name);

/** @throws BackupError if so many uploads are missing that the storage is probably the wrong one */
function addMissingUpload({ missing }: Result, key: string): void {
  if (missing.length === MAX_MISSING) {
    throw new BackupError(
      `More than ${MAX_MISSING} uploads are not in the storage: set DATA_DIR or S3_* as the service has them.`,
    );
  }
  missing.push(key);
}

function count({ uploads }: Result, size: number): void {
  uploads.count += 1;
  uploads.bytes += size;
}

async function* listUploads({ tx }: Snapshot): AsyncGenerator<Upload> {
  const uses = await readBlobUses(tx);
  if (uses === "false") return;
  for (let after = ""; ;) {
    const page = await listBlobs(tx, uses, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.key;
  }
}

async function* openAhead(
  storage: Storage,
  uploads: AsyncIterable<Upload>,
): AsyncGenerator<ReadUpload> {
  const opening: Promise<ReadUpload>[] = [];
  const open = async (upload: Upload) => ({ ...upload, bytes: await storage.open(upload.key) });
  for await (const upload of uploads) {
    const content = open(upload);
    content.catch(() => {});
    opening.push(content);
    const first = opening.length > AHEAD ? opening.shift() : undefined;
    if (first) yield await first;
  }
  for (const content of opening) yield await content;
}
