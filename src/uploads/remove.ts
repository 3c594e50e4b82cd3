import { type SQL, sql as statement } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { CLAIM_MINUTES } from "./blobs.ts";

const SLICE = 1_000;
/** Ends well before a claim does, so that nobody comes with bytes that are still being deleted. */
const MAX_REMOVING_MS = 4 * 60_000;

const UNNAMED = statement`
  not exists (select from message_images where sha256 = b.sha256)
  and not exists (select from message_images where thumb_sha256 = b.sha256)
  and not exists (select from message_files where sha256 = b.sha256)
  and not exists (select from avatars where sha256 = b.sha256)
  and not exists (select from link_previews where image_sha256 = b.sha256)`;
const UNCLAIMED = statement`(b.removing_at is null
  or b.removing_at < clock_timestamp() - ${CLAIM_MINUTES} * interval '1 minute')`;
/** Nobody has come with them for an hour. */
const OLD = statement`b.touched_at < clock_timestamp() - interval '1 hour'`;
/** Nobody has come with them who has not named them yet. */
const SETTLED = statement`b.pending = 0`;

/**
 * Removes those of these bytes that nothing names, now.
 * @throws what the storage throws; they are claimed no longer then
 */
export function removeBlobs(database: Database, storage: Storage, keys: string[]): Promise<void> {
  return remove(database, storage, keys, SETTLED);
}

/**
 * Removes all bytes that nothing names and that nobody has come with for an hour: it goes through
 * the rows once, in slices by their keys.
 * @throws as `removeBlobs`
 */
export async function sweepBlobs(
  database: Database,
  storage: Storage,
  signal: AbortSignal,
): Promise<void> {
  for (let after: string | null = ""; after !== null && !signal.aborted;) {
    const rows: { key: string; is_free: boolean }[] = await database.db.execute(statement`
      select encode(b.sha256, 'hex') as key, ${OLD} and ${UNCLAIMED} and ${UNNAMED} as is_free
      from blobs b where b.sha256 > decode(${after}, 'hex') order by b.sha256 limit ${SLICE}`);
    const free = rows.filter((row) => row.is_free).map((row) => row.key);
    if (free.length > 0) await remove(database, storage, free, OLD);
    after = rows.at(-1)?.key ?? null;
  }
}

/**
 * Claims rows, deletes their bytes, then the rows: no transaction waits for the storage. While a row
 * is claimed nobody can name it, and whoever comes with the same bytes waits. After a crash in
 * between the claim expires, and the bytes are deleted again or come again.
 */
async function remove(
  database: Database,
  storage: Storage,
  keys: string[],
  rule: SQL,
): Promise<void> {
  const { sql } = database;
  const deadline = Date.now() + MAX_REMOVING_MS;
  const claim = await claimBlobs(database, keys, rule);
  const removed: string[] = [];
  try {
    for (const key of claim.keys) {
      if (Date.now() > deadline) break;
      await storage.remove(key);
      removed.push(key);
    }
  } finally {
    await sql`delete from blobs where removing_at = ${claim.at}::text::timestamptz
      and sha256 in (select decode(key, 'hex') from unnest(${removed}::text[]) as k (key))`;
    await sql`update blobs set removing_at = null where removing_at = ${claim.at}::text::timestamptz
      and sha256 in (select decode(key, 'hex') from unnest(${claim.keys}::text[]) as k (key))`;
  }
}

/** Claims those that nothing names, in two statements: the second sees what was named before the locks. */
function claimBlobs({ db }: Database, keys: string[], rule: SQL) {
  return db.transaction(async (tx) => {
    const given = (some: string[]) => statement`(select decode(key, 'hex')
      from jsonb_array_elements_text(${JSON.stringify(some)}::jsonb) as k (key))`;
    const locked = await tx.execute<{ key: string }>(statement`
      select encode(b.sha256, 'hex') as key from blobs b
      where b.sha256 in ${given(keys)} and ${UNCLAIMED} and ${rule}
      order by b.sha256 for no key update skip locked`);
    const claimed = await tx.execute<{ key: string; at: string }>(statement`
      update blobs b set removing_at = now()
      where b.sha256 in ${given(locked.map((row) => row.key))} and ${UNNAMED}
      returning encode(b.sha256, 'hex') as key, b.removing_at::text as at`);
    return { keys: claimed.map((row) => row.key), at: claimed[0]?.at ?? "epoch" };
  });
}
