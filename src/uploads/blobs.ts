import { sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { blobs } from "../database/schema.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashFile } from "../platform/storage/hash.ts";
import type { Store } from "../platform/storage/open.ts";

export type StoredBlob = { sha256: Buffer; sizeBytes: number };

/** More than twice as long as a process may take to delete bytes. */
const CLAIM_MINUTES = 10;
const WAIT_MS = 20_000;
const POLL_MS = 50;

/** SQL condition that no process is deleting the row's bytes. Expired claims do not count. */
export const IS_UNCLAIMED = sql`(${blobs.removingAt} is null
  or ${blobs.removingAt} < clock_timestamp() - ${CLAIM_MINUTES} * interval '1 minute')`;

/**
 * Moves a complete file into the storage. Another table must reference it within an hour, after calling
 * `linkBlobs` in the same transaction: unreferenced bytes are deleted.
 *
 * The row is inserted before the bytes are stored, so that there are never bytes without a row.
 * @param path in the folder of incoming files; may be gone afterwards
 * @throws Refusal `unavailable` if deleting the same bytes takes more than 20 seconds
 */
export async function storeFile(db: Query, { storage }: Store, path: string): Promise<StoredBlob> {
  const { sha256, sizeBytes } = await hashFile(path);
  const deadline = Date.now() + WAIT_MS;
  while (!(await countPendingUpload(db, sha256, sizeBytes))) {
    if (Date.now() > deadline) throw makeBeingRemovedRefusal();
    await Bun.sleep(POLL_MS);
  }
  await storage.put(sha256.toString("hex"), path);
  return { sha256, sizeBytes };
}

/** @returns false while a process deletes the same bytes */
async function countPendingUpload(db: Query, sha256: Buffer, sizeBytes: number): Promise<boolean> {
  const rows = await db
    .insert(blobs)
    .values({ sha256, sizeBytes, pending: 1 })
    .onConflictDoUpdate({
      target: blobs.sha256,
      set: {
        touchedAt: sql`clock_timestamp()`,
        pending: sql`${blobs.pending} + 1`,
        removingAt: null,
      },
      setWhere: IS_UNCLAIMED,
    })
    .returning({ pending: blobs.pending });
  return rows.length > 0;
}

/** As `storeFile`, for small data in memory. */
export function storeBytes(db: Query, store: Store, bytes: Uint8Array): Promise<StoredBlob> {
  return store.incoming.use(async (newPath) => {
    const path = newPath();
    await Bun.write(path, bytes);
    return storeFile(db, store, path);
  });
}

/**
 * Locks blobs that a transaction is about to reference, so that they are not deleted before it commits.
 * @param hashes one for each call of `storeFile`
 * @throws Refusal `unavailable` if some are already being deleted
 */
export async function linkBlobs(tx: Transaction, hashes: Buffer[]): Promise<void> {
  const keys = toKeys(hashes);
  const rows = await tx.execute(sql`
    with named as (
      select decode(key, 'hex') as sha256, count(*) as times
      from unnest(${sql.param(keys)}::text[]) as k (key) group by key
    ), locked as (
      select b.sha256, n.times from blobs b join named n on n.sha256 = b.sha256
      where b.removing_at is null order by b.sha256 for no key update of b
    )
    update blobs set pending = greatest(0, pending - locked.times) from locked
    where blobs.sha256 = locked.sha256 returning 1`);
  if (rows.length < new Set(keys).size) throw makeBeingRemovedRefusal();
}

/** For blobs that a transaction no longer references. The job skips those used elsewhere. */
export async function enqueueBlobRemoval(tx: Query, hashes: Uint8Array[]): Promise<void> {
  if (hashes.length === 0) return;
  await enqueueJob(tx, { kind: "remove_blobs", payload: { keys: [...new Set(toKeys(hashes))] } });
}

function toKeys(hashes: Uint8Array[]): string[] {
  return hashes.map((sha256) => Buffer.from(sha256).toString("hex"));
}

function makeBeingRemovedRefusal(): Refusal {
  const detail = "The same file is being deleted. Try again in a moment.";
  return new Refusal("unavailable", detail, { retryAfter: 5 });
}
