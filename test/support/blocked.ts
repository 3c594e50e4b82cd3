import type { Sql } from "postgres";
import type { Transaction } from "../../src/database/connect.ts";
import type { World } from "./world.ts";
import { eventually } from "./wait.ts";

/**
 * Runs `work` and commits it only when `request`, which starts after it, waits for a lock that it
 * holds, or has ended. So what the request read and checked before its own lock is out of date.
 */
export function commitDuring<T>(
  { database }: World,
  work: (tx: Transaction) => Promise<unknown>,
  request: () => Promise<T>,
): Promise<T> {
  return database.db
    .transaction(async (tx) => {
      await work(tx);
      const [self] = await tx.execute<{ pid: number }>("select pg_backend_pid() as pid");
      let hasEnded = false;
      const answer = request().finally(() => {
        hasEnded = true;
      });
      answer.catch(() => {});
      await eventually(async () => hasEnded || (await blocksAnother(database.sql, self?.pid ?? 0)));
      return { answer };
    })
    .then(({ answer }) => answer);
}

/** Whether another connection waits for a lock of this one. */
export async function blocksAnother(sql: Sql<{ int8: number }>, pid: number): Promise<boolean> {
  const rows = await sql`
    select from pg_stat_activity where ${pid}::int = any(pg_blocking_pids(pid))`;
  return rows.length > 0;
}
