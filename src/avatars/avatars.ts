import { and, eq } from "drizzle-orm";
import { notifyUserUpdated, readMe } from "../users/users.ts";
import type { Database, Query, Transaction } from "../database/connect.ts";
import { avatars, users } from "../database/schema.ts";
import { cropToSquares } from "../platform/images/images.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import type { Store } from "../platform/storage/open.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { storeBytes, type StoredBlob, linkBlobs, enqueueBlobRemoval } from "../uploads/blobs.ts";
import { readUploadLimit } from "../uploads/limit.ts";
import { receiveUpload } from "../uploads/receive.ts";
import { serveBlob } from "../uploads/serve.ts";
import { AVATAR_SIDES } from "../wire/limits.ts";
import type { Me } from "../wire/models.ts";

/** A picture in one of `AVATAR_SIDES`. */
export type Square = StoredBlob & { side: number };

/** @throws Refusal of `receiveSquares` */
export async function putAvatar(
  { db }: Database,
  store: Store,
  userId: string,
  request: Request,
): Promise<Me> {
  const squares = await receiveSquares(db, store, request);
  return db.transaction((tx) => replaceAvatar(tx, userId, squares));
}

/**
 * Stores a picture as someone's avatar.
 * @param receive writes the picture to a file
 * @throws Refusal `not_an_image`, `image_too_big`, and what `receive` throws
 */
export async function storeAvatar(
  { db }: Database,
  store: Store,
  userId: string,
  receive: (path: string) => Promise<unknown>,
): Promise<void> {
  const squares = await storeReceivedPicture(db, store, receive);
  await db.transaction((tx) => replaceAvatar(tx, userId, squares));
}

/** @throws Refusal `not_an_image`, `image_too_big`, and those of `receiveUpload` */
export async function receiveSquares(db: Query, store: Store, request: Request): Promise<Square[]> {
  const maxBytes = await readUploadLimit(db);
  return storeReceivedPicture(db, store, (path) => receiveUpload(request, path, maxBytes));
}

function storeReceivedPicture(
  db: Query,
  store: Store,
  receive: (path: string) => Promise<unknown>,
): Promise<Square[]> {
  return store.incoming.use(async (newPath) => {
    const path = newPath();
    await receive(path);
    return storeSquares(db, store, path);
  });
}

/** The sizes are also those of the team's logo. @throws Refusal `not_an_image`, `image_too_big` */
export async function storeSquares(db: Query, store: Store, path: string): Promise<Square[]> {
  const pictures = await cropToSquares(path, [...AVATAR_SIDES]);
  return Promise.all(
    AVATAR_SIDES.map(async (side, i) => ({
      side,
      ...(await storeBytes(db, store, pictures[i] as Uint8Array)),
    })),
  );
}

/** The part of a picture's URL that changes with the picture; null without one. */
export function versionOf([square]: Square[]): string | null {
  return square?.sha256.toString("hex").slice(0, 8) ?? null;
}

/**
 * Protects the bytes of new squares from deletion, and queues the deletion of the squares that they
 * replace.
 */
export async function swapBlobs(
  tx: Transaction,
  squares: Square[],
  before: { sha256: Buffer }[],
): Promise<void> {
  const hashesOf = (rows: { sha256: Buffer }[]) => rows.map(({ sha256 }) => sha256);
  if (squares.length > 0) await linkBlobs(tx, hashesOf(squares));
  await enqueueBlobRemoval(tx, hashesOf(before));
}

export function removeAvatar({ db }: Database, userId: string): Promise<Me> {
  return db.transaction((tx) => replaceAvatar(tx, userId, []));
}

/** @param squares empty to remove the avatar */
async function replaceAvatar(tx: Transaction, userId: string, squares: Square[]): Promise<Me> {
  // Updating the user's row first serializes concurrent changes.
  await tx
    .update(users)
    .set({ avatarVersion: versionOf(squares) })
    .where(eq(users.id, userId));
  const before = await tx.delete(avatars).where(eq(avatars.userId, userId)).returning();
  await swapBlobs(tx, squares, before);
  const rows = squares.map((square) => ({ userId, ...square }));
  if (rows.length > 0) await tx.insert(avatars).values(rows);
  await notifyUserUpdated(tx, userId);
  return readMe(tx, userId);
}

/** @throws Refusal `validation` for a size that is not stored */
export function checkSide(side: number, noun: string): void {
  if (AVATAR_SIDES.some((candidate) => candidate === side)) return;
  throw makeFieldRefusal(
    "/size",
    `A ${noun} is available in the sizes ${AVATAR_SIDES.join(", ")}.`,
  );
}

/**
 * Serves a user's avatar. Cached for only one minute, because it can change under the same URL.
 * @throws Refusal `not_found` if the user has no picture, `validation` for an unsupported size
 */
export async function serveAvatar(
  db: Query,
  storage: Storage,
  request: Request,
  userId: string,
  side: number,
): Promise<Response> {
  checkSide(side, "picture");
  const [blob] = await db
    .select({ sha256: avatars.sha256, sizeBytes: avatars.sizeBytes })
    .from(avatars)
    .where(and(eq(avatars.userId, userId), eq(avatars.side, side)));
  if (!blob) throw new Refusal("not_found", "There is no such picture.");
  const cacheControl = "private, max-age=60";
  return serveBlob(request, storage, blob, { mime: "image/webp", cacheControl });
}
