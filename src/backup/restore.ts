import { openClient } from "../database/connect.ts";
import { directOf, type Target } from "../database/target.ts";
import type { Store } from "../platform/storage/open.ts";
import type { Bytes } from "./archive.ts";
import {
  countRevived,
  DatabaseLoader,
  type EndedSignIns,
  endSignIns,
  type Revived,
} from "./database-loader.ts";
import type { Head } from "./format.ts";
import { type ReadOptions, readBackup } from "./read.ts";
import { liftLimits } from "./dump.ts";
import { writeStream } from "./write-file.ts";

type RestoreReport = {
  created_at: string;
  rows: number;
  uploads: number;
  /** Number of migrations applied after the restore because the backup was older. */
  migrated: number;
  missing: string[];
  /** Sessions and links that the restore ended; null with `keepsSessions`. */
  ended: EndedSignIns | null;
  revived: Revived;
};

type RestoreOptions = ReadOptions & {
  keepsSessions?: boolean;
};

type Destination = { target: Target; store: Store; signal?: AbortSignal };

/**
 * Restores a backup into a database without accounts, in one transaction. If it fails, the database is
 * unchanged and the restore can be repeated. A service that starts meanwhile waits. An older backup is
 * restored with its own schema and then migrated. Sessions and password reset links are deleted unless
 * `keepsSessions` is set.
 * @param beforeCommit called after the whole backup has been read and checked
 * @throws BackupError, or errors of the database and the storage
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
      const migratedCount = await loader.finish(content.tail);
      const ended = options.keepsSessions ? null : await endSignIns(tx);
      const revived = await countRevived(tx);
      await beforeCommit(content.head);
      const { head, tail } = content;
      return {
        created_at: head.created_at,
        rows: Object.values(tail.rows).reduce((total, count) => total + count, 0),
        uploads: tail.uploads.count,
        migrated: migratedCount,
        missing: tail.missing,
        ended,
        revived,
      };
    });
    await sql`analyze`;
    return report as RestoreReport;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function storeUpload({ storage, incoming }: Store, key: string, bytes: Bytes): Promise<void> {
  await incoming.use(async (newPath) => {
    const path = newPath();
    const { sum } = await writeStream(path, bytes);
    // The reader reports a damaged upload; here it is only skipped.
    if (sum === key) await storage.put(key, path);
  });
}
