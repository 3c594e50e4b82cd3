import { sql } from "drizzle-orm";
import type { SqlClient, Transaction } from "../database/connect.ts";
import { linkPreviews, peopleVersion } from "../database/schema.ts";
import type { PageHead } from "./page-head.ts";

/** Longer than finding out takes, so that nobody else begins; another does if the process dies. */
const CLAIM_SECONDS = 30;
const KEPT_SECONDS = 7 * 24 * 3_600;
/** What failed may be mended soon. */
const FAILURE_KEPT_SECONDS = 3_600;

/** What is known of a URL: `shown` if there is something to show, which has not expired. */
export type Known =
  | { state: "shown" | "failed" }
  /** Another job is finding out. */
  | { state: "claimed" }
  /** This job is to find out. */
  | { state: "mine"; claim: Claim };

export type Claim = {
  urlHash: Buffer;
  until: Date;
  /** Whether an older preview was shown until now. */
  wasShown: boolean;
  /** Whether the URL was known: other messages may name it, and kept pages may show them. */
  wasKnown: boolean;
};

/** What is kept of a URL: a page's head with the SHA-256 of its picture. */
export type Result =
  { kind: "page"; head: PageHead; picture: Buffer | null } | { kind: "image" | "failed" };

export function hashUrl(url: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(url).digest();
}

/**
 * Says what is known of a URL. Where nothing is, or no longer, the caller is to find out: of those
 * who ask at once, on all instances together, one.
 */
export async function know(handSql: SqlClient, url: string): Promise<Known> {
  const urlHash = hashUrl(url);
  // Until there is more, a row of a failure that has expired.
  const [claimed] = await handSql<
    { claimed_until: Date; has_failed: boolean; was_known: boolean }[]
  >`
    insert into link_previews as known (url_hash, url, has_failed, expires_at, claimed_until)
    values (${urlHash}, ${url}, true, clock_timestamp() - interval '1 second',
      clock_timestamp() + ${CLAIM_SECONDS} * interval '1 second')
    on conflict (url_hash) do update set claimed_until = excluded.claimed_until
    where known.expires_at <= clock_timestamp()
      and (known.claimed_until is null or known.claimed_until <= clock_timestamp())
    returning claimed_until, has_failed, xmax <> 0 as was_known`;
  if (claimed) {
    const { claimed_until: until, has_failed, was_known: wasKnown } = claimed;
    return { state: "mine", claim: { urlHash, until, wasShown: !has_failed, wasKnown } };
  }
  const [row] = await handSql<{ is_fresh: boolean; has_failed: boolean }[]>`
    select expires_at > clock_timestamp() as is_fresh, has_failed
    from link_previews where url_hash = ${urlHash}`;
  if (!row?.is_fresh) return { state: "claimed" };
  return { state: row.has_failed ? "failed" : "shown" };
}

/** Makes kept pages of all rooms stale: one may show what was known of a URL before. */
export async function expirePages(tx: Transaction): Promise<void> {
  await tx.update(peopleVersion).set({ version: sql`${peopleVersion.version} + 1` });
}

/** Lets another find out: this one could not. */
export async function release(handSql: SqlClient, { urlHash, until }: Claim): Promise<void> {
  await handSql`update link_previews set claimed_until = null
    where url_hash = ${urlHash} and claimed_until = ${until}`;
}

/** Keeps what was found out, for all who ask until it expires. */
export async function keep(tx: Transaction, url: string, result: Result): Promise<void> {
  const head = result.kind === "page" ? result.head : null;
  const picture = result.kind === "page" ? result.picture : null;
  const seconds = result.kind === "failed" ? FAILURE_KEPT_SECONDS : KEPT_SECONDS;
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
