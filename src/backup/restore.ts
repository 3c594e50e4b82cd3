import { openClient } from "../database/connect.ts";
import { directOf, type Target } from "../database/target.ts";
import type { Store } from "../platform/storage/open.ts";
import type { Bytes } from "./archive.ts";
import {
  analyzeAll,
  countRevived,
  DatabaseLoader,
  type EndedSignIns,
  endSignIns,
  type Revived,
} from "./database-loader.ts";
import type { Head } from "./format.ts";
import { type BackupContent, type ReadOptions, readBackup } from "./read.ts";
import { liftLimits } from "./dump.ts";
import { writeStream } from "./write-file.ts";

type RestoreReport = {
  created_at: string;
  rows: number;
  uploads: number;
  /** Migrations of this version that the backup did not have. */
  migrated: number;
  missing: string[];
  /** Null with `keepsSessions`. */
  ended: EndedSignIns | null;
  revived: Revived;
};

type RestoreOptions = ReadOptions & {
  /** Leaves everyone signed in who was when the backup was taken. */
  keepsSessions?: boolean;
};

type Destination = { target: Target; store: Store; signal?: AbortSignal };

/**
 * Restores a backup into a database without accounts, in one transaction: whatever happens in the
 * middle, the database is as it was, and the restore can be started again. A service that starts
 * meanwhile waits. An older backup is restored with the schema of its time, and then migrated. Sessions
 * and links to choose a password end, unless they are to be kept.
 * @param beforeCommit called with what was read, once all of it was checked
 * @throws BackupError, or what the database and the storage throw
 */
export async function restoreBackup(
  path: string,
  { target, store, signal }: Destination,
  options: RestoreOptions,
  beforeCommit: (head: Head) => Promise<void> = async () => {},
): Promise<RestoreReport> {
  const sql = openClient(directOf(target), 1, { limits: null });
  try {
    const report = await sql.begin(async (tx) => {
      await liftLimits(tx);
      const loader = new DatabaseLoader(tx);
      const content = await loader.use(() =>
        readBackup(path, options, {
          head: (head) => loader.begin(head),
          rows: (table, text) => {
            signal?.throwIfAborted();
            return loader.write(table, text);
          },
          rowsEnd: () => loader.endRows(),
          upload: (key, bytes) => {
            signal?.throwIfAborted();
            return storeUpload(store, key, bytes);
          },
        }),
      );
      const migrated = await loader.finish(content.tail);
      const ended = options.keepsSessions ? null : await endSignIns(tx);
      const revived = await countRevived(tx);
      await beforeCommit(content.head);
      return { ...toReport(content, migrated), ended, revived };
    });
    await analyzeAll(sql);
    return report as RestoreReport;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function toReport(
  { head, tail }: BackupContent,
  migrated: number,
): Omit<RestoreReport, "ended" | "revived"> {
  const rows = Object.values(tail.rows).reduce((total, count) => total + count, 0);
  const { created_at } = head;
  return { created_at, rows, uploads: tail.uploads.count, migrated, missing: tail.missing };
}

async function storeUpload({ storage, incoming }: Store, key: string, bytes: Bytes): Promise<void> {
  await incoming.use(async (newPath) => {
    const path = newPath();
    const { sum } = await writeStream(path, bytes);
    // A damaged upload is reported by the reader; here it is only not stored.
    if (sum === key) await storage.put(key, path);
  });
}
