import type { Database } from "../database/connect.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Shares } from "../platform/shares.ts";
import type { Store } from "../platform/storage/open.ts";
import { keepBytes, nameBlobs } from "../uploads/blobs.ts";
import { type Claim, expirePages, keep, know, release } from "./cache.ts";
import { findOut, type Found } from "./find-out.ts";
import { findWaiting, tell } from "./tell.ts";

/** While another job finds out, its result is looked for again after so long. */
const AGAIN_SECONDS = 1;
/** Where a site or a person has no place left: later, and not all at once. */
const NO_PLACE_SECONDS = 5;

export type PreviewDeps = {
  database: Database;
  egress: Egress;
  store: Store;
  /** Where given, a site or a person that has no place left waits. */
  places?: Shares;
};
/** A message and the URL of which it shows a preview. */
export type Wanted = { url: string; messageId: string };

/**
 * Brings a message the preview of its URL: from what is known, else from the URL itself.
 * @throws what lies in our own house, the database or the storage: the same may work later
 */
export async function bringPreview(deps: PreviewDeps, wanted: Wanted, signal: AbortSignal) {
  const { db, sql } = deps.database;
  const { url, messageId } = wanted;
  const message = await findWaiting(db, messageId, url);
  if (!message) return;
  const enqueueAgain = (inSeconds: number) =>
    enqueueJob(db, { kind: "link_preview", payload: wanted, inSeconds });
  const keys = [`host ${URL.parse(url)?.host}`, `user ${message.authorId}`];
  if (deps.places?.tryTake(keys) === false) {
    await enqueueAgain(NO_PLACE_SECONDS * (1 + Math.random()));
    return;
  }
  try {
    const known = await know(sql, url);
    if (known.state === "mine") await find(deps, wanted, known.claim, signal);
    if (known.state === "shown") {
      await db.transaction((tx) => tell(tx, messageId, url, { isShown: true, wasShown: true }));
    }
    if (known.state === "claimed") await enqueueAgain(AGAIN_SECONDS);
  } finally {
    deps.places?.release(keys);
  }
}

async function find(deps: PreviewDeps, wanted: Wanted, claim: Claim, signal: AbortSignal) {
  try {
    const found = await findOut(deps.egress, wanted.url, signal);
    await write(deps, wanted, claim, found);
  } catch (error) {
    // Should that fail too, the claim ends by itself.
    await release(deps.database.sql, claim).catch(() => {});
    throw error;
  }
}

/** Keeps what was found, with its picture, and tells the room: all of it or nothing. */
async function write(
  { database, store }: PreviewDeps,
  { url, messageId }: Wanted,
  { wasShown, wasKnown }: Claim,
  found: Found,
): Promise<void> {
  const bytes = found.kind === "page" ? found.picture : null;
  const picture = bytes && (await keepBytes(database.sql, store, bytes)).sha256;
  await database.db.transaction(async (tx) => {
    if (picture) await nameBlobs(tx, [picture]);
    await keep(tx, url, found.kind === "page" ? { ...found, picture } : found);
    await tell(tx, messageId, url, { isShown: found.kind !== "failed", wasShown });
    if (wasKnown) await expirePages(tx);
  });
}
