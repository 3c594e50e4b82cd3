import { sql as statement } from "drizzle-orm";
import type { Database, HandSql } from "../database/connect.ts";
import { hashFile } from "../platform/storage/hash.ts";
import type { Store } from "../platform/storage/open.ts";
import type { Storage } from "../platform/storage/storage.ts";

/** Bytes that are in the storage, by their SHA-256. */
export type Kept = { sha256: Buffer; sizeBytes: number };

const FREED_AT_ONCE = 100;

/**
 * Takes a finished file into the storage. From then on there is an hour to name it in a table that
 * refers to `blobs`; what nothing names is removed.
 *
 * The row comes before the bytes, so that there are none without a row. And it is touched even where
 * it is known: that waits for a removal of the same bytes to end, and keeps the next one away.
 * @param path in the folder of incoming files; it may be gone afterwards
 */
export async function keepFile(sql: HandSql, { storage }: Store, path: string): Promise<Kept> {
  const { sha256, sizeBytes } = await hashFile(path);
  await sql`
    insert into blobs (sha256, size_bytes) values (${sha256}, ${sizeBytes})
    on conflict (sha256) do update set touched_at = clock_timestamp()`;
  await storage.put(sha256.toString("hex"), path);
  return { sha256, sizeBytes };
}

/** As `keepFile`, for a few bytes that are at hand. */
export function keepBytes(sql: HandSql, store: Store, bytes: Uint8Array): Promise<Kept> {
  return store.incoming.use(async (newPath) => {
    const path = newPath();
    await Bun.write(path, bytes);
    return keepFile(sql, store, path);
  });
}

/**
 * Removes bytes that nothing names and that nobody has come with for an hour, some at a time.
 *
 * The rows go first, under their locks: a row that something names after all cannot be deleted, and
 * whoever comes with the same bytes waits, and puts them there anew.
 * @returns how many it removed; 0 when there are no more
 */
export function freeBlobs({ db }: Database, storage: Storage): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.execute<{ key: string }>(statement`
      with free as (
        select sha256 from blobs b
        where touched_at < clock_timestamp() - interval '1 hour'
          and not exists (select from message_images where sha256 = b.sha256)
          and not exists (select from message_images where thumb_sha256 = b.sha256)
          and not exists (select from message_files where sha256 = b.sha256)
          and not exists (select from avatars where sha256 = b.sha256)
          and not exists (select from link_previews where image_sha256 = b.sha256)
        limit ${FREED_AT_ONCE} for update skip locked
      )
      delete from blobs using free where blobs.sha256 = free.sha256
      returning encode(blobs.sha256, 'hex') as key`);
    for (const { key } of rows) await storage.remove(key);
    return rows.length;
  });
}
