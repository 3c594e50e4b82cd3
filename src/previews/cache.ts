import { eq, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { linkPreviews, peopleVersion } from "../database/schema.ts";
import type { PageHead } from "./page-head.ts";

/** Longer than a fetch takes, so that nobody else begins one; if the process dies, another job does. */
const CLAIM_SECONDS = 30;
const TTL_SECONDS = 7 * 24 * 3_600;
const FAILURE_TTL_SECONDS = 3_600;

/** What is cached for a URL: `shown` if there is a preview, which has not expired. */
type Cached =
  | { state: "shown" | "failed" }
  /** Another job is fetching it. */
  | { state: "claimed" }
  /** The caller has to fetch it. */
  | { state: "mine"; claim: Claim };

export type Claim = {
  urlHash: Buffer;
  until: Date;
  /** Whether an older preview was shown until now. */
  wasShown: boolean;
  /** Whether the URL was in the cache: cached pages of other messages may show its preview. */
  wasCached: boolean;
};

/** A fetched preview, with the SHA-256 of a page's picture. */
export type Result =
  { kind: "page"; head: PageHead; picture: Buffer | null } | { kind: "image" | "failed" };

/**
 * Reads what is cached for a URL. Where nothing is, or it has expired, the URL is claimed: of the jobs
 * that ask at once, on all instances together, one gets the claim and has to fetch it.
 */
export async function readOrClaim(db: Query, url: string): Promise<Cached> {
  const urlHash = hashUrl(url);
  const known = linkPreviews;
  // Until the result is stored, the row is a failure that has expired.
  const [claimed] = await db
    .insert(known)
    .values({
      ...{ urlHash, url, hasFailed: true },
      expiresAt: sql`clock_timestamp() - interval '1 second'`,
      claimedUntil: sql`clock_timestamp() + ${CLAIM_SECONDS} * interval '1 second'`,
    })
    .onConflictDoUpdate({
      target: known.urlHash,
      set: { claimedUntil: sql`excluded.claimed_until` },
      setWhere: sql`${known.expiresAt} <= clock_timestamp()
        and (${known.claimedUntil} is null or ${known.claimedUntil} <= clock_timestamp())`,
    })
    .returning({
      until: known.claimedUntil,
      hasFailed: known.hasFailed,
      wasCached: sql<boolean>`xmax <> 0`,
    });
  if (claimed?.until) {
    const { until, hasFailed, wasCached } = claimed;
    return { state: "mine", claim: { urlHash, until, wasShown: !hasFailed, wasCached } };
  }
  const [row] = await db
    .select({
      isFresh: sql<boolean>`${known.expiresAt} > clock_timestamp()`,
      hasFailed: known.hasFailed,
    })
    .from(known)
    .where(eq(known.urlHash, urlHash));
  if (!row?.isFresh) return { state: "claimed" };
  return { state: row.hasFailed ? "failed" : "shown" };
}

/** Expires the cached pages of all rooms, since one may show an older preview of a URL. */
export async function expireCachedPages(tx: Transaction): Promise<void> {
  await tx.update(peopleVersion).set({ version: sql`${peopleVersion.version} + 1` });
}

/** Lets another job fetch the URL: this one failed. */
export async function releaseClaim(db: Query, { urlHash, until }: Claim): Promise<void> {
  await db.update(linkPreviews).set({ claimedUntil: null })
    .where(sql`${linkPreviews.urlHash} = ${urlHash}
      and ${linkPreviews.claimedUntil} = ${sql.param(until, linkPreviews.claimedUntil)}`);
}

/** Stores a result until it expires. */
export async function storePreview(tx: Transaction, url: string, result: Result): Promise<void> {
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
