import { and, eq, isNull } from "drizzle-orm";
import type { Database, Query, Transaction } from "../database/connect.ts";
import { messages, rooms } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import type { FairSemaphore } from "../platform/concurrency/semaphore.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Store } from "../platform/storage/open.ts";
import { lockRoomRow } from "../rooms/access.ts";
import { linkBlobs, storeBytes } from "../uploads/blobs.ts";
import { type Claim, expireCachedPages, readOrClaim, releaseClaim, storePreview } from "./cache.ts";
import { type FetchedContent, fetchPreview } from "./fetch-preview.ts";

/** The delay while another job fetches the URL. */
const CLAIMED_RETRY_SECONDS = 1;
/** The delay while a site or a person is at its limit of concurrent fetches, plus jitter. */
const NO_SHARE_RETRY_SECONDS = 5;

export type PreviewDeps = {
  database: Database;
  egress: Egress;
  store: Store;
  /** Limits the concurrent fetches per site and per person. */
  semaphore?: FairSemaphore;
};
type PreviewTarget = { url: string; messageId: string };

/** @throws errors of the database and the storage, after which a retry may succeed */
export async function updatePreview(deps: PreviewDeps, target: PreviewTarget, signal: AbortSignal) {
  const { db } = deps.database;
  const { url, messageId } = target;
  const message = await readMessageOf(db, messageId, url);
  if (!message) return;
  const retryIn = (inSeconds: number) =>
    enqueueJob(db, { kind: "link_preview", payload: target, inSeconds });
  const keys = [`host ${URL.parse(url)?.host}`, `user ${message.authorId}`];
  if (deps.semaphore?.tryAcquire(keys) === false) {
    await retryIn(NO_SHARE_RETRY_SECONDS * (1 + Math.random()));
    return;
  }
  try {
    const entry = await readOrClaim(db, url);
    if (entry.state === "mine") await fetchClaimedPreview(deps, target, entry.claim, signal);
    if (entry.state === "shown") {
      const isShown = { isShown: true, wasShown: true };
      await db.transaction((tx) => announcePreview(tx, messageId, url, isShown));
    }
    if (entry.state === "claimed") await retryIn(CLAIMED_RETRY_SECONDS);
  } finally {
    deps.semaphore?.release(keys);
  }
}

async function fetchClaimedPreview(
  deps: PreviewDeps,
  target: PreviewTarget,
  claim: Claim,
  signal: AbortSignal,
) {
  try {
    await storeAndAnnounce(
      deps,
      target,
      claim,
      await fetchPreview(deps.egress, target.url, signal),
    );
  } catch (error) {
    // If this fails too, the claim expires.
    await releaseClaim(deps.database.db, claim).catch(() => {});
    throw error;
  }
}

/** Stores the result with its image and announces it, in one transaction. */
async function storeAndAnnounce(
  { database: { db }, store }: PreviewDeps,
  { url, messageId }: PreviewTarget,
  { wasShown, wasCached }: Claim,
  result: FetchedContent,
): Promise<void> {
  const bytes = result.kind === "page" ? result.picture : null;
  const picture = bytes && (await storeBytes(db, store, bytes)).sha256;
  await db.transaction(async (tx) => {
    if (picture) await linkBlobs(tx, [picture]);
    await storePreview(tx, url, result.kind === "page" ? { ...result, picture } : result);
    await announcePreview(tx, messageId, url, { isShown: result.kind !== "failed", wasShown });
    if (wasCached) await expireCachedPages(tx);
  });
}

/** Reads a message if it still shows the preview of this URL. */
async function readMessageOf(tx: Query, messageId: string, url: string) {
  const message = await readMessage(tx, messageId);
  return message?.previewUrl === url ? message : null;
}

/**
 * Announces a preview in its message's room, unless the message was edited or deleted in the meantime.
 * A failure is announced only if it replaces an older preview.
 */
async function announcePreview(
  tx: Transaction,
  messageId: string,
  url: string,
  { isShown, wasShown }: { isShown: boolean; wasShown: boolean },
): Promise<void> {
  const roomId = (await readMessage(tx, messageId))?.roomId;
  if (!roomId) return;
  await lockRoomRow(tx, roomId);
  const message = await readMessageOf(tx, messageId, url);
  if (!message) return;
  if (!isShown && !(wasShown && message.hasEmbeds)) return;
  if (!message.hasEmbeds) {
    await tx.update(messages).set({ hasEmbeds: true }).where(eq(messages.id, messageId));
  }
  await appendEvent(tx, roomId, { type: "link_preview", messageId });
}

/** Excludes deleted rooms, whose messages are deleted later by a job. */
async function readMessage(tx: Query, messageId: string) {
  const { roomId, authorId, previewUrl, hasEmbeds } = messages;
  const [row] = await tx
    .select({ roomId, authorId, previewUrl, hasEmbeds })
    .from(messages)
    .innerJoin(rooms, and(eq(rooms.id, roomId), isNull(rooms.deletedAt)))
    .where(eq(messages.id, messageId));
  return row;
}
