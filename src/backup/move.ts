import { openClient } from "../database/connect.ts";
import type { Target } from "../database/target.ts";
import { dumpTable, liftLimits, listSequences, withSnapshot } from "./dump.ts";
import { BackupError, type Tail } from "./format.ts";
import { DatabaseLoader, isInUse } from "./database-loader.ts";

/**
 * Copies an unused database into an empty one, in one transaction on the target. The source is not
 * changed.
 * @returns the number of rows copied
 * @throws BackupError if Snug is using either database, or the target has accounts
 */
export async function moveDatabase(
  from: Target,
  to: Target,
  signal?: AbortSignal,
): Promise<number> {
  const sql = openClient(to, 1, { limits: null });
  try {
    const count = await withSnapshot(from, null, async ({ tx, tables, head }) => {
      // This process has a second connection, which holds the lock.
      if (await isInUse(tx, 2)) {
        throw new BackupError("Snug is using the database to be moved: stop it first.");
      }
      return sql.begin(async (target) => {
        await liftLimits(target);
        const loader = new DatabaseLoader(target);
        await loader.begin({ ...head, uploads: "beside" });
        const rows: Tail["rows"] = {};
        await loader.use(async () => {
          for (const table of tables) {
            rows[table.name] = await dumpTable(tx, table, async (text) => {
              signal?.throwIfAborted();
              await loader.write(table.name, text);
            });
          }
          await loader.endRows();
        });
        await loader.finish({ rows, sequences: await listSequences(tx) }, { isSameTimeline: true });
        return Object.values(rows).reduce((total, count) => total + count, 0);
      });
    });
    await sql`analyze`;
    return count as number;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
