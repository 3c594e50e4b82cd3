import { sql } from "drizzle-orm";
import type { HandSql, Transaction } from "../database/connect.ts";
import type { PictureStore } from "./store.ts";

/**
 * Holds pictures until the end of the transaction: whoever keeps one, and whoever removes it because
 * nobody needs it, do so one after the other. In one order, so that two cannot wait for each other.
 */
export async function holdPictures(tx: Transaction, keys: string[]): Promise<void> {
  const numbers = keys.map((key) => Buffer.from(key, "hex").readBigInt64BE()).sort(compare);
  await tx.execute(sql`select pg_advisory_xact_lock(number)
    from unnest(${`{${numbers.join(",")}}`}::bigint[]) as number`);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}

/** Removes those of the pictures, which the transaction holds, that no preview shows any more. */
export async function removeUnused(
  tx: Transaction,
  store: PictureStore,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  const rows = await tx.execute<{ key: string }>(sql`
    select key from unnest(${`{${keys.join(",")}}`}::text[]) as key
    where not exists (select from link_previews where image_sha256 = decode(key, 'hex'))`);
  for (const { key } of rows) await store.remove(key);
}

/** True if a preview shows this picture: what else lies in the storage is not served as one. */
export async function isShown(handSql: HandSql, key: string): Promise<boolean> {
  const rows = await handSql`select from link_previews
    where image_sha256 = ${Buffer.from(key, "hex")} limit 1`;
  return rows.length > 0;
}
