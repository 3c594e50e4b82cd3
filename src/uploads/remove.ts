import { and, gt, type SQL, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { blobs } from "../database/schema.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { IS_UNCLAIMED } from "./blobs.ts";

const SLICE = 1_000;
/** Held by a backup, so that the bytes it refers to are not deleted until it ends. */
export const REMOVAL_LOCK = 5_733_522;
/** Ends well before a claim expires, so that nobody uploads bytes that are still being deleted. */
const MAX_REMOVING_MS = 4 * 60_000;

// The columns of `blobs` are written out: in a list of selected columns drizzle leaves the table out.
const IS_UNUSED = sql`
  not exists (select from message_images where sha256 = blobs.sha256)
  and not exists (select from message_images where thumb_sha256 = blobs.sha256)
  and not exists (select from message_files where sha256 = blobs.sha256)
  and not exists (select from avatars where sha256 = blobs.sha256)
  and not exists (select from team_logos where sha256 = blobs.sha256)
  and not exists (select from link_previews where image_sha256 = blobs.sha256)`;
/** They were last uploaded over an hour ago. */
const IS_OLD = sql`${blobs.touchedAt} < clock_timestamp() - interval '1 hour'`;
/** Every upload of these bytes is used. */
const IS_SETTLED = sql`${blobs.pending} = 0`;

/**
 * Removes the given blobs if nothing refers to them.
 * @param keys in hex
 * @throws the storage's error; the bytes are no longer claimed then
 */
export function removeBlobs(db: Drizzle, storage: Storage, keys: string[]): Promise<void> {
  return removeClaimed(db, storage, keys, IS_SETTLED);
}

/**
 * Removes all blobs that nothing refers to and that were last uploaded over an hour ago. It reads all
 * rows once, in slices by their keys.
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
    const unused = rows.filter((row) => row.isUnused).map((row) => row.key);
    if (unused.length > 0) await removeClaimed(db, storage, unused, IS_OLD);
    after = rows.at(-1)?.key ?? null;
  }
}

/**
 * Claims rows, deletes their bytes, then the rows: no transaction waits for the storage. Nothing
 * can refer to a claimed row, and an upload of the same bytes waits. After a crash in between the
 * claim expires, and the bytes are deleted or uploaded again.
 */
async function removeClaimed(
  db: Drizzle,
  storage: Storage,
  keys: string[],
  rule: SQL,
): Promise<void> {
  const deadline = Date.now() + MAX_REMOVING_MS;
  const claim = await claimBlobs(db, keys, rule);
  const isOurs = (some: string[]) =>
    and(sql`${blobs.removingAt} = ${sql.param(claim.at, blobs.removingAt)}`, isAmong(some));
  const removed: string[] = [];
  try {
    for (const key of claim.keys) {
      if (Date.now() > deadline) break;
      await storage.remove(key);
      removed.push(key);
    }
  } finally {
    await db.delete(blobs).where(isOurs(removed));
    await db.update(blobs).set({ removingAt: null }).where(isOurs(claim.keys));
  }
}

/**
 * Claims unused blobs in two statements: the second sees references that were committed before the
 * locks. During a backup it claims none: the hourly sweep finds them later.
 */
function claimBlobs(db: Drizzle, keys: string[], rule: SQL) {
  const key = sql<string>`encode(${blobs.sha256}, 'hex')`;
  return db.transaction(async (tx) => {
    const [lock] = await tx.execute<{ is_free: boolean }>(
      sql`select pg_try_advisory_xact_lock_shared(${REMOVAL_LOCK}) as is_free`,
    );
    if (!lock?.is_free) return { keys: [], at: new Date(0) };
    const locked = await tx
      .select({ key })
      .from(blobs)
      .where(and(isAmong(keys), IS_UNCLAIMED, rule))
      .orderBy(blobs.sha256)
      .for("no key update", { skipLocked: true });
    const claimed = await tx
      .update(blobs)
      .set({ removingAt: sql`now()` })
      .where(and(isAmong(locked.map((row) => row.key)), IS_UNUSED))
      .returning({ key, at: blobs.removingAt });
    return { keys: claimed.map((row) => row.key), at: claimed[0]?.at ?? new Date(0) };
  });
}

function isAmong(keys: string[]): SQL {
  return sql`${blobs.sha256} in (
    select decode(key, 'hex') from unnest(${sql.param(keys)}::text[]) as k (key))`;
}
