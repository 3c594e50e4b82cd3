import { Batch } from "../platform/batch.ts";
import type { SqlClient } from "./connect.ts";

/**
 * Makes one statement of the reads that are asked for while one is under way. A busy process asks the
 * database once for many callers, which costs it a fraction; an idle one asks at once and for one. What
 * is read is never older than the asking.
 * @param read reads for all items, in their order
 */
export function gather<I, O>(
  read: (sql: SqlClient, items: I[]) => Promise<O[]>,
): (sql: SqlClient, item: I) => Promise<O> {
  const batches = new WeakMap<SqlClient, Batch<I, O>>();
  return (sql, item) => {
    let batch = batches.get(sql);
    if (!batch) {
      batch = new Batch<I, O>((items) => read(sql, items));
      batches.set(sql, batch);
    }
    return batch.add(item);
  };
}
