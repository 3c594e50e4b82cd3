import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { Refusal } from "../platform/refusal.ts";
import type { SqlClient } from "./connect.ts";

const MAX_ITEMS = 500;
const MAX_WAITING = 20_000;

type WaitingRead<I, O> = { item: I; resolve(row: O): void; reject(error: unknown): void };

/**
 * Batches concurrent reads: all items requested while one statement is in flight are read by the next
 * statement. A busy process saves most of its queries; an idle one reads immediately. A result is never
 * older than its call.
 * @param read returns one result for each item, in the same order
 * @returns a function that throws the errors of `read`; Refusal `unavailable` if the queue is full
 */
export function coalesceReads<I, O>(
  read: (sql: SqlClient, items: I[]) => Promise<O[]>,
): (sql: SqlClient, item: I) => Promise<O> {
  const options = { maxItems: MAX_ITEMS, maxWaiting: MAX_WAITING };
  const coalescers = new WeakMap<SqlClient, Coalescer<WaitingRead<I, O>>>();
  return (sql, item) => {
    let coalescer = coalescers.get(sql);
    if (!coalescer) {
      coalescer = new Coalescer(async (calls) => {
        try {
          const items = calls.map((call) => call.item);
          const rows = await read(sql, items);
          for (const [i, { resolve }] of calls.entries()) resolve(rows[i] as O);
        } catch (error) {
          for (const { reject } of calls) reject(error);
        }
      }, options);
      coalescers.set(sql, coalescer);
    }
    const { promise, resolve, reject } = Promise.withResolvers<O>();
    if (!coalescer.add({ item, resolve, reject })) {
      reject(
        new Refusal("unavailable", "The database is overloaded. Try again in a moment.", {
          retryAfter: 1,
        }),
      );
    }
    return promise;
  };
}
