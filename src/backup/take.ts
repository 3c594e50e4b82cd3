import { rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Target } from "../database/target.ts";
import { flush } from "../platform/storage/disk.ts";
import { hashFile } from "../platform/storage/hash.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { checkRecipients, encryptBytes } from "./age.ts";
import { ArchiveWriter } from "./archive.ts";
import { dumpDatabase, type Snapshot, withSnapshot, writeTail } from "./dump.ts";
import { BackupError, type Tail } from "./format.ts";
import { hasAccounts } from "./database-loader.ts";
import { verifyBackup } from "./read.ts";
import { addUploads, addUploadsToFolder, UploadsFolder } from "./uploads.ts";
import { WriteError, writeStream } from "./write-file.ts";

type BackupOptions = {
  /** age recipients; the backup is not encrypted if empty. */
  recipients: readonly string[];
  /** The folder that stores each upload once, beside the archives; null to include uploads in the archive. */
  uploadsFolder: string | null;
  signal?: AbortSignal;
  /** Refuses a database without accounts, which is probably not the intended one. */
  needsAccounts?: boolean;
};

export type BackupReport = {
  file: string;
  bytes: number;
  created_at: string;
  rows: number;
  uploads: number;
  missing: string[];
};

export type BackupSource = {
  target: Target;
  storage: Storage;
  /** Keys that encrypt secrets in the database, in base64; null if they are configured. */
  secretKeys: string[] | null;
};

/**
 * Writes a consistent backup while the service runs, verifies it by reading it back, and only then
 * renames it into place, so that a file with this name is always complete.
 * @throws BackupError, or errors of the database, the storage and the disk; incomplete files are
 * removed
 */
export async function takeBackup(
  source: BackupSource,
  file: string,
  options: BackupOptions,
): Promise<BackupReport> {
  checkRecipients(options.recipients);
  const partial = `${file}.partial`;
  try {
    const { head, tail, sum, size } = await writeArchive(source, partial, options);
    await readBack(partial, { sum, size }, options);
    await rename(partial, file);
    await flush(dirname(file));
    const rows = Object.values(tail.rows).reduce((total, count) => total + count, 0);
    const { missing } = tail;
    const { created_at } = head;
    return { file, bytes: size, created_at, rows, uploads: tail.uploads.count, missing };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

function writeArchive(
  { target, storage, secretKeys }: BackupSource,
  path: string,
  options: BackupOptions,
) {
  const { recipients, signal } = options;
  // Later errors, such as a rollback in the middle of a COPY, would hide the root cause.
  let rootCause: unknown;
  const completion = withSnapshot(target, secretKeys, async (snapshot) => {
    if (options.needsAccounts && !(await hasAccounts(snapshot.tx))) {
      throw new BackupError(
        "This database has no accounts, so there is nothing to back up: set DATA_DIR or DATABASE_URL as the service has them.",
      );
    }
    const writer = new ArchiveWriter();
    const contents = writeContents(snapshot, storage, writer, options).catch((error) => {
      rootCause ??= error;
      writer.abort(error);
      throw error;
    });
    contents.catch(() => {});
    try {
      const file = await writeStream(path, await encryptBytes(writer.bytes, recipients), signal);
      return { head: snapshot.head, tail: await contents, ...file };
    } catch (error) {
      // A write error ends the source, whose own error may arrive first.
      rootCause = error instanceof WriteError ? error : (rootCause ?? error);
      writer.abort(error as Error);
      await contents.catch(() => {});
      throw error;
    }
  });
  return completion.catch((error) => {
    throw signal?.aborted ? signal.reason : (rootCause ?? error);
  });
}

/** Writes the database, the uploads and the tail, which lists both. */
async function writeContents(
  snapshot: Snapshot,
  storage: Storage,
  writer: ArchiveWriter,
  { recipients, uploadsFolder, signal }: BackupOptions,
): Promise<Tail> {
  const location = uploadsFolder === null ? "inside" : "beside";
  const databaseTail = await dumpDatabase(snapshot, location, writer, signal);
  const uploads =
    uploadsFolder === null
      ? { ...(await addUploads(snapshot, storage, writer, signal)), sums: {} }
      : await addUploadsToFolder(
          ...([snapshot, storage, writer] as const),
          new UploadsFolder(uploadsFolder, recipients),
          signal,
        );
  const tail = { ...databaseTail, ...uploads, sums: { ...databaseTail.sums, ...uploads.sums } };
  await writeTail(writer, tail);
  return tail;
}

/** Compares the hash with what was written; an unencrypted archive's content is checked as well. */
async function readBack(
  path: string,
  expected: { sum: string; size: number },
  { recipients, uploadsFolder }: BackupOptions,
): Promise<void> {
  const { sha256, sizeBytes } = await hashFile(path);
  if (sizeBytes !== expected.size || sha256.toString("hex") !== expected.sum) {
    throw new BackupError("The file on the disk differs from what was written: check the disk.");
  }
  if (recipients.length === 0) await verifyBackup(path, { identities: [], uploadsFolder });
}

/** @throws BackupError if the file cannot be created, before anything is read */
export async function checkPlace(file: string): Promise<void> {
  const folder = await stat(dirname(file)).catch(() => null);
  if (!folder?.isDirectory()) throw new BackupError(`There is no folder ${dirname(file)}.`);
  if (await Bun.file(file).exists()) {
    throw new BackupError(`${file} already exists: choose another name.`);
  }
}
