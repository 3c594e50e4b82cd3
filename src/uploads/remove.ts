import { and, gt, type SQL, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { blobs } from "../database/schema.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { IS_UNCLAIMED } from "./blobs.ts";

const SLICE = 1_000;
/** Held by a backup, so that the uploads in it are not deleted before it ends. */
export const REMOVAL_LOCK = 5_733_522;
/** Ends well before a claim expires, so that nobody uploads bytes that are being deleted. */
const MAX_REMOVING_MS = 4 * 60_000;

// Columns of `blobs` are qualified by hand, because drizzle omits the table in a select list.
const IS_UNUSED = sql`
  not exists (select from message_images where sha256 = blobs.sha256)
  and not exists (select from message_images where thumb_sha256 = blobs.sha256)
  and not exists (select from message_files where sha256 = blobs.sha256)
  and not exists (select from avatars where sha256 = blobs.sha256)
  and not exists (select from team_logos where sha256 = blobs.sha256)
  and not exists (select from link_previews where image_sha256 = blobs.sha256)`;
/** SQL condition that the bytes were last uploaded over an hour ago. */
const IS_OLD = sql`${blobs.touchedAt} < clock_timestamp() - interval '1 hour'`;
/** SQL condition that every upload of these bytes is used. */
const IS_SETTLED = sql`${blobs.pending} = 0`;

/**
 * Deletes the given blobs if they are unreferenced.
 * @param keys in hex
 * @throws the storage's error, after releasing the claims
 */
export function removeBlobs(db: Drizzle, storage: Storage, keys: string[]): Promise<void> {
  return removeClaimedBlobs(db, storage, keys, IS_SETTLED);
}

/**
 * Deletes all unreferenced blobs that were last uploaded over an hour ago. Reads all rows once, in
 * ranges of keys.
 * @throws as `removeBlobs`
 */
export async function sweepBlobs(
  db: Drizzle,
  storage: Storage,
  signal: AbortSignal,
): Promise<void> {
  for (let after: string | null = ""; after !== null && !signal.aborted;) {
    const rows: { key: string; isUnused: boolean }[] = await db
      .select({
        key: sql<string>`encode(${blobs.sha256}, 'hex')`,
        isUnused: sql<boolean>`${IS_OLD} and ${IS_UNCLAIMED} and ${IS_UNUSED}`,
      })
      .from(blobs)
      .where(gt(blobs.sha256, Buffer.from(after, "hex")))
      .orderBy(blobs.sha256)
      .limit(SLICE);
    const unusedKeys = rows.filter((row) => row.isUnused).map((row) => row.key);
    if (unusedKeys.length > 0) await removeClaimedBlobs(db, storage, unusedKeys, IS_OLD);
    after = rows.at(-1)?.key ?? null;
  }
}

/**
 * Claims rows, deletes their bytes, then deletes the rows, so that no transaction waits for the
 * storage. A claimed row cannot be referenced, and an upload of the same bytes waits. After a crash the
 * claim expires, and the bytes are deleted or uploaded again.
 */
async function removeClaimedBlobs(
  db: Drizzle,
  storage: Storage,
  keys: string[],
  rule: SQL,
): Promise<void> {
  const deadline = Date.now() + MAX_REMOVING_MS;
  const claim = await claimBlobs(db, keys, rule);
  const isOurs = (keys: string[]) =>
    and(sql`${blobs.removingAt} = ${sql.param(claim.at, blobs.removingAt)}`, isAmong(keys));
  const removedKeys: string[] = [];
  try {
    for (const key of claim.keys) {
      if (Date.now() > deadline) break;
      await storage.remove(key);
      removedKeys.push(key);
    }
  } finally {
    await db.delete(blobs).where(isOurs(removedKeys));
    await db.update(blobs).set({ removingAt: null }).where(isOurs(claim.keys));
  }
}

/**
 * Claims unreferenced blobs in two statements: the second sees references that were committed before it
 * got the locks. During a backup it claims none; the hourly sweep does so later.
 */
function claimBlobs(db: Drizzle, keys: string[], rule: SQL) {
  const key = sql<string>`encode(${blobs.sha256}, 'hex')`;
  return db.transaction(async (tx) => {
    const [lock] = await tx.execute<{ is_free: boolean }>(
      sql`select pg_try_advisory_xact_lock_shared(${REMOVAL_LOCK}) as is_free`,
    );
    if (!lock?.is_free) return { keys: [], at: new Date(0) };
    const lockedRows = await tx
      .select({ key })
      .from(blobs)
      .where(and(isAmong(keys), IS_UNCLAIMED, rule))
      .orderBy(blobs.sha256)
      .for("no key update", { skipLocked: true });
    const claimedRows = await tx
      .update(blobs)
      .set({ removingAt: sql`now()` })
      .where(and(isAmong(lockedRows.map((row) => row.key)), IS_UNUSED))
      .returning({ key, at: blobs.removingAt });
    return { keys: claimedRows.map((row) => row.key), at: claimedRows[0]?.at ?? new Date(0) };
  });
}

function isAmong(keys: string[]): SQL {
  return sql`${blobs.sha256} in (
    select decode(key, 'hex') from unnest(${sql.param(keys)}::text[]) as k (key))`;
}
