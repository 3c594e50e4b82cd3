import { sql as statement } from "drizzle-orm";
import type { SqlClient, Query, Transaction } from "../database/connect.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashFile } from "../platform/storage/hash.ts";
import type { Store } from "../platform/storage/open.ts";

/** Bytes that are in the storage, by their SHA-256. */
export type Kept = { sha256: Buffer; sizeBytes: number };

/** A process that deletes bytes stops in less than half of this. */
export const CLAIM_MINUTES = 10;
const WAIT_MS = 20_000;
const POLL_MS = 50;

/**
 * Takes a finished file into the storage. From then on there is an hour to name it, by `nameBlobs`
 * and in a table that refers to `blobs`; what nothing names is removed.
 *
 * The row comes before the bytes, so that there are none without a row.
 * @param path in the folder of incoming files; it may be gone afterwards
 * @throws Refusal `unavailable` if the same bytes are being removed and that takes more than 20 seconds
 */
export async function keepFile(sql: SqlClient, { storage }: Store, path: string): Promise<Kept> {
  const { sha256, sizeBytes } = await hashFile(path);
  const deadline = Date.now() + WAIT_MS;
  while (!(await addPending(sql, sha256, sizeBytes))) {
    if (Date.now() > deadline) throw beingRemoved();
    await Bun.sleep(POLL_MS);
  }
  await storage.put(sha256.toString("hex"), path);
  return { sha256, sizeBytes };
}

/** @returns false while a process removes the same bytes; a claim that has expired is taken over */
async function addPending(sql: SqlClient, sha256: Buffer, sizeBytes: number): Promise<boolean> {
  const rows = await sql`
    insert into blobs (sha256, size_bytes, pending) values (${sha256}, ${sizeBytes}, 1)
    on conflict (sha256) do update
    set touched_at = clock_timestamp(), pending = blobs.pending + 1, removing_at = null
    where blobs.removing_at is null
      or blobs.removing_at < clock_timestamp() - ${CLAIM_MINUTES} * interval '1 minute'
    returning 1`;
  return rows.length > 0;
}

/** As `keepFile`, for a few bytes that are at hand. */
export function keepBytes(sql: SqlClient, store: Store, bytes: Uint8Array): Promise<Kept> {
  return store.incoming.use(async (newPath) => {
    const path = newPath();
    await Bun.write(path, bytes);
    return keepFile(sql, store, path);
  });
}

/**
 * Locks the rows of bytes in the transaction that names them, so that they are not removed before.
 * @param hashes one for each call of `keepFile`
 * @throws Refusal `unavailable` if some are being removed after all
 */
export async function nameBlobs(tx: Transaction, hashes: Buffer[]): Promise<void> {
  const keys = hashes.map((sha256) => sha256.toString("hex"));
  const rows = await tx.execute(statement`
    with named as (
      select decode(key, 'hex') as sha256, count(*) as times
      from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as k (key) group by key
    ), locked as (
      select b.sha256, n.times from blobs b join named n on n.sha256 = b.sha256
      where b.removing_at is null order by b.sha256 for no key update of b
    )
    update blobs set pending = greatest(0, pending - locked.times) from locked
    where blobs.sha256 = locked.sha256 returning 1`);
  if (rows.length < new Set(keys).size) throw beingRemoved();
}

/** Queues the removal of bytes that a transaction no longer names, unless something else does. */
export async function removeBlobsSoon(tx: Query, hashes: Uint8Array[]): Promise<void> {
  if (hashes.length === 0) return;
  const keys = [...new Set(hashes.map((sha256) => Buffer.from(sha256).toString("hex")))];
  await enqueueJob(tx, { kind: "remove_blobs", payload: { keys } });
}

function beingRemoved(): Refusal {
  const detail = "The same file is being deleted. Try again in a moment.";
  return new Refusal("unavailable", detail, { retryAfter: 5 });
}
