import type { Database } from "../database/connect.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Shares } from "../platform/shares.ts";
import type { Store } from "../platform/storage/open.ts";
import { linkBlobs, storeBytes } from "../uploads/blobs.ts";
import { announcePreview, readMessageOf } from "./announce.ts";
import { type Claim, expireCachedPages, readOrClaim, releaseClaim, storePreview } from "./cache.ts";
import { type Fetched, fetchPreview } from "./fetch-preview.ts";

/** The wait while another job fetches the URL. */
const CLAIMED_RETRY_SECONDS = 1;
/** The wait while a site or a person has no free place, with jitter. */
const NO_SHARE_RETRY_SECONDS = 5;

export type PreviewDeps = {
  database: Database;
  egress: Egress;
  store: Store;
  /** If given, a site or a person without a share left waits. */
  places?: Shares;
};
/** A message and the URL whose preview it shows. */
export type Wanted = { url: string; messageId: string };

/**
 * Shows the preview of a URL in a message: from the cache, or else fetched.
 * @throws errors of the database and the storage, after which a retry may succeed
 */
export async function updatePreview(deps: PreviewDeps, wanted: Wanted, signal: AbortSignal) {
  const { db } = deps.database;
  const { url, messageId } = wanted;
  const message = await readMessageOf(db, messageId, url);
  if (!message) return;
  const retryIn = (inSeconds: number) =>
    enqueueJob(db, { kind: "link_preview", payload: wanted, inSeconds });
  const keys = [`host ${URL.parse(url)?.host}`, `user ${message.authorId}`];
  if (deps.places?.tryTake(keys) === false) {
    await retryIn(NO_SHARE_RETRY_SECONDS * (1 + Math.random()));
    return;
  }
  try {
    const cached = await readOrClaim(db, url);
    if (cached.state === "mine") await fetchClaimed(deps, wanted, cached.claim, signal);
    if (cached.state === "shown") {
      const isShown = { isShown: true, wasShown: true };
      await db.transaction((tx) => announcePreview(tx, messageId, url, isShown));
    }
    if (cached.state === "claimed") await retryIn(CLAIMED_RETRY_SECONDS);
  } finally {
    deps.places?.release(keys);
  }
}

async function fetchClaimed(deps: PreviewDeps, wanted: Wanted, claim: Claim, signal: AbortSignal) {
  try {
    await storeAndAnnounce(
      deps,
      wanted,
      claim,
      await fetchPreview(deps.egress, wanted.url, signal),
    );
  } catch (error) {
    // If this fails too, the claim expires.
    await releaseClaim(deps.database.db, claim).catch(() => {});
    throw error;
  }
}

/** Stores what was fetched with its picture, and announces it: all of it or nothing. */
async function storeAndAnnounce(
  { database: { db }, store }: PreviewDeps,
  { url, messageId }: Wanted,
  { wasShown, wasCached }: Claim,
  fetched: Fetched,
): Promise<void> {
  const bytes = fetched.kind === "page" ? fetched.picture : null;
  const picture = bytes && (await storeBytes(db, store, bytes)).sha256;
  await db.transaction(async (tx) => {
    if (picture) await linkBlobs(tx, [picture]);
    await storePreview(tx, url, fetched.kind === "page" ? { ...fetched, picture } : fetched);
    await announcePreview(tx, messageId, url, { isShown: fetched.kind !== "failed", wasShown });
    if (wasCached) await expireCachedPages(tx);
  });
}
