import { getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "./connect.ts";
import * as schema from "./schema.ts";

/** The names of all tables in this version's schema. */
export const TABLE_NAMES: string[] = Object.values(schema).flatMap((table) =>
  is(table, PgTable) ? [getTableName(table)] : [],
);

/**
 * Locks a table with sealed values, before the key is read: a key rotation locks the table until the new key
 * is in place.
 */
export async function lockForKey(tx: Transaction, table: PgTable): Promise<void> {
  await tx.execute(sql`lock table ${table} in row exclusive mode`);
}
