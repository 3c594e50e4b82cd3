import { eq, sql } from "drizzle-orm";
import type { Query, SqlClient, Transaction } from "../database/connect.ts";
import { linkPreviews, peopleVersion } from "../database/schema.ts";
import type { PageHead } from "./page-head.ts";

/** Longer than a fetch takes. If the process dies, another job can claim the URL afterwards. */
const CLAIM_SECONDS = 30;
const TTL_SECONDS = 7 * 24 * 3_600;
const FAILURE_TTL_SECONDS = 3_600;

/** The cached state of a URL; `shown` if there is an unexpired preview. */
type CacheEntry =
  | { state: "shown" | "failed" }
  /** Another job is fetching the URL. */
  | { state: "claimed" }
  /** The caller has claimed the URL and must fetch it. */
  | { state: "mine"; claim: Claim };

export type Claim = {
  urlHash: Buffer;
  until: Date;
  /** Whether messages showed an older preview until the claim. */
  wasShown: boolean;
  /** Whether the URL was cached, so that cached pages of other messages may show its preview. */
  wasCached: boolean;
};

type FetchResult =
  { kind: "page"; head: PageHead; picture: Buffer | null } | { kind: "image" | "failed" };

/**
 * Reads what is cached for a URL. If nothing is cached or it has expired, the URL is claimed: one
 * of all concurrent jobs, on any instance, gets the claim and must fetch it.
 */
export async function readOrClaim(db: Query, url: string): Promise<CacheEntry> {
  const urlHash = hashUrl(url);
  const previews = linkPreviews;
  // Until the result is stored, the row is an expired failure.
  const [claim] = await db
    .insert(previews)
    .values({
      urlHash,
      url,
      hasFailed: true,
      expiresAt: sql`clock_timestamp() - interval '1 second'`,
      claimedUntil: sql`clock_timestamp() + ${CLAIM_SECONDS} * interval '1 second'`,
    })
    .onConflictDoUpdate({
      target: previews.urlHash,
      set: { claimedUntil: sql`excluded.claimed_until` },
      setWhere: sql`${previews.expiresAt} <= clock_timestamp()
        and (${previews.claimedUntil} is null or ${previews.claimedUntil} <= clock_timestamp())`,
    })
    .returning({
      until: previews.claimedUntil,
      hasFailed: previews.hasFailed,
      wasCached: sql<boolean>`xmax <> 0`,
    });
  if (claim?.until) {
    const { until, hasFailed, wasCached } = claim;
    return { state: "mine", claim: { urlHash, until, wasShown: !hasFailed, wasCached } };
  }
  const [row] = await db
    .select({
      isFresh: sql<boolean>`${previews.expiresAt} > clock_timestamp()`,
      hasFailed: previews.hasFailed,
    })
    .from(previews)
    .where(eq(previews.urlHash, urlHash));
  if (!row?.isFresh) return { state: "claimed" };
  return { state: row.hasFailed ? "failed" : "shown" };
}

/** Expires the cached pages of all rooms, since one may show an older preview of a URL. */
export async function expireCachedPages(tx: Transaction): Promise<void> {
  await tx.update(peopleVersion).set({ version: sql`${peopleVersion.version} + 1` });
}

/** Releases a claim after a failed fetch, so that another job can fetch the URL. */
export async function releaseClaim(db: Query, { urlHash, until }: Claim): Promise<void> {
  await db.update(linkPreviews).set({ claimedUntil: null })
    .where(sql`${linkPreviews.urlHash} = ${urlHash}
      and ${linkPreviews.claimedUntil} = ${sql.param(until, linkPreviews.claimedUntil)}`);
}

export async function storePreview(
  tx: Transaction,
  url: string,
  result: FetchResult,
): Promise<void> {
  const head = result.kind === "page" ? result.head : null;
  const picture = result.kind === "page" ? result.picture : null;
  const seconds = result.kind === "failed" ? FAILURE_TTL_SECONDS : TTL_SECONDS;
  const values = {
    title: head?.title ?? null,
    description: head?.description ?? null,
    siteName: head?.siteName ?? null,
    isImage: result.kind === "image",
    imageSha256: picture,
    hasFailed: result.kind === "failed",
    fetchedAt: sql`clock_timestamp()`,
    expiresAt: sql`clock_timestamp() + ${seconds} * interval '1 second'`,
    claimedUntil: null,
  };
  await tx
    .insert(linkPreviews)
    .values({ urlHash: hashUrl(url), url, ...values })
    .onConflictDoUpdate({ target: linkPreviews.urlHash, set: values });
}

function hashUrl(url: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(url).digest();
}

/**
 * Deletes expired previews that no message shows, in the next batch by primary key. Previews that a
 * message shows stay. Images are deleted by the job that deletes unreferenced blobs. A preview that is
 * being fetched again is no longer expired once its row can be locked.
 * @param after a key in hex
 * @returns the last key that was checked, in hex; null at the end
 */
export async function prunePreviewsAfter(
  sql: SqlClient,
  after: string,
  limit: number,
): Promise<string | null> {
  const [row] = await sql<{ last: string | null }[]>`
    with checked as (
      select url_hash from link_previews where url_hash > decode(${after}, 'hex')
      order by url_hash limit ${limit}
    ), deleted as (
      delete from link_previews p using checked where p.url_hash = checked.url_hash
        and p.expires_at < statement_timestamp()
        and (p.claimed_until is null or p.claimed_until < statement_timestamp())
        and not exists (select from messages where preview_url = p.url)
    )
    select max(encode(url_hash, 'hex')) as last from checked`;
  return row?.last ?? null;
}
