import { getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "./connect.ts";
import * as schema from "./schema.ts";

export const TABLE_NAMES: string[] = Object.values(schema).flatMap((table) =>
  is(table, PgTable) ? [getTableName(table)] : [],
);

/** Call it before reading the key: a key rotation locks the table until the new key is in place. */
export async function lockForKey(tx: Transaction, table: PgTable): Promise<void> {
  await tx.execute(sql`lock table ${table} in row exclusive mode`);
}
