import { and, eq } from "drizzle-orm";
import { notifyUserUpdated, readMe } from "../users/users.ts";
import type { Database, Query, Transaction } from "../database/connect.ts";
import { avatars, users } from "../database/schema.ts";
import { cropToSquares } from "../platform/images/images.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import type { Store } from "../platform/storage/open.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { storeBytes, type StoredBlob, linkBlobs, enqueueBlobRemoval } from "../uploads/blobs.ts";
import { readUploadLimit } from "../uploads/limit.ts";
import { receiveUpload } from "../uploads/receive.ts";
import { serveBlob } from "../uploads/serve.ts";
import { AVATAR_SIDES } from "../wire/limits.ts";
import type { Me } from "../wire/models.ts";

/** Number of hex digits of the picture's hash in its URL. */
const VERSION_LENGTH = 8;

/**
 * Replaces the caller's avatar with the centered square of an uploaded picture, in three sizes.
 * @throws Refusal `too_large`, `not_an_image`, `image_too_big`, and those of `receiveFile`
 */
export async function putAvatar(
  { db }: Database,
  store: Store,
  userId: string,
  request: Request,
): Promise<Me> {
  const maxBytes = await readUploadLimit(db);
  return storeAvatar({ db }, store, userId, (path) => receiveUpload(request, path, maxBytes));
}

/**
 * Stores a picture as someone's avatar.
 * @param receive writes the picture to a file
 * @throws Refusal `not_an_image`, `image_too_big`, and what `receive` throws
 */
export async function storeAvatar(
  { db }: Pick<Database, "db">,
  store: Store,
  userId: string,
  receive: (path: string) => Promise<unknown>,
): Promise<Me> {
  const blobs = await store.incoming.use(async (newPath) => {
    const path = newPath();
    await receive(path);
    return storeSquares(db, store, path);
  });
  return db.transaction((tx) => replaceAvatar(tx, userId, blobs));
}

/**
 * Stores the middle square of a picture in the sizes of avatars, which are also those of the team's logo.
 * @returns a blob for each of `AVATAR_SIDES`
 * @throws Refusal `not_an_image`, `image_too_big`
 */
export async function storeSquares(db: Query, store: Store, path: string): Promise<StoredBlob[]> {
  const pictures = await cropToSquares(path, [...AVATAR_SIDES]);
  return Promise.all(pictures.map((bytes) => storeBytes(db, store, bytes)));
}

/** Removes the caller's avatar if there is one. */
export function removeAvatar({ db }: Database, userId: string): Promise<Me> {
  return db.transaction((tx) => replaceAvatar(tx, userId, []));
}

/** @param blobs one picture for each of `AVATAR_SIDES`; empty to remove the avatar */
async function replaceAvatar(tx: Transaction, userId: string, blobs: StoredBlob[]): Promise<Me> {
  // Updating the user's row first serializes concurrent changes.
  const avatarVersion = blobs[0]?.sha256.toString("hex").slice(0, VERSION_LENGTH) ?? null;
  await tx.update(users).set({ avatarVersion }).where(eq(users.id, userId));
  const before = await tx.delete(avatars).where(eq(avatars.userId, userId)).returning();
  const rows = blobs.map(({ sha256, sizeBytes }, i) => ({
    userId,
    side: AVATAR_SIDES[i] as number,
    sha256,
    sizeBytes,
  }));
  if (rows.length > 0) {
    await linkBlobs(
      tx,
      blobs.map(({ sha256 }) => sha256),
    );
    await tx.insert(avatars).values(rows);
  }
  await enqueueBlobRemoval(
    tx,
    before.map(({ sha256 }) => sha256),
  );
  await notifyUserUpdated(tx, userId);
  return readMe(tx, userId);
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
  if (!AVATAR_SIDES.some((allowed) => allowed === side)) {
    throw makeInvalid("/size", `A picture is available in the sizes ${AVATAR_SIDES.join(", ")}.`);
  }
  const [blob] = await db
    .select({ sha256: avatars.sha256, sizeBytes: avatars.sizeBytes })
    .from(avatars)
    .where(and(eq(avatars.userId, userId), eq(avatars.side, side)));
  if (!blob) throw new Refusal("not_found", "There is no such picture.");
  const options = {
    mime: "image/webp",
    disposition: "inline",
    cacheControl: "private, max-age=60",
  };
  return serveBlob(request, storage, blob, options);
}
