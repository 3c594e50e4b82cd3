import { eq } from "drizzle-orm";
import { readMe } from "../accounts/users.ts";
import type { Database, SqlClient, Transaction } from "../database/connect.ts";
import { avatars, users } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { squarePictures } from "../platform/images.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import type { Store } from "../platform/storage/open.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { keepBytes, type Kept, nameBlobs, removeBlobsSoon } from "../uploads/blobs.ts";
import { readUploadLimit } from "../uploads/limit.ts";
import { receive } from "../uploads/receive.ts";
import { serve } from "../uploads/serve.ts";
import { AVATAR_SIDES } from "../wire/limits.ts";
import type { Me } from "../wire/models.ts";

/** Letters of a picture's hash that tell it from the one before. */
const VERSION_LENGTH = 8;

/**
 * Takes a picture in as the caller's avatar: its middle, square, in three sizes. The one before goes.
 * @throws Refusal `too_large`, `not_an_image`, `image_too_big`, and those of `receiveFile`
 */
export async function putAvatar(
  { db, sql }: Database,
  store: Store,
  userId: string,
  request: Request,
): Promise<Me> {
  const maxBytes = await readUploadLimit(sql);
  const kept = await store.incoming.use(async (newPath) => {
    const path = newPath();
    await receive(request, path, maxBytes);
    const pictures = await squarePictures(path, [...AVATAR_SIDES]);
    return Promise.all(pictures.map((bytes) => keepBytes(sql, store, bytes)));
  });
  return db.transaction((tx) => set(tx, userId, kept));
}

/** Back to initials. Doing it twice is no error. */
export function removeAvatar({ db }: Database, userId: string): Promise<Me> {
  return db.transaction((tx) => set(tx, userId, []));
}

/** @param kept of each of `AVATAR_SIDES`, or nothing */
async function set(tx: Transaction, userId: string, kept: Kept[]): Promise<Me> {
  // The user's row first, so that two at once take turns.
  const avatarVersion = kept[0]?.sha256.toString("hex").slice(0, VERSION_LENGTH) ?? null;
  await tx.update(users).set({ avatarVersion }).where(eq(users.id, userId));
  const before = await tx.delete(avatars).where(eq(avatars.userId, userId)).returning();
  const rows = kept.map(({ sha256, sizeBytes }, i) => ({
    userId,
    side: AVATAR_SIDES[i] as number,
    sha256,
    sizeBytes,
  }));
  if (rows.length > 0) {
    await nameBlobs(
      tx,
      kept.map(({ sha256 }) => sha256),
    );
    await tx.insert(avatars).values(rows);
  }
  await removeBlobsSoon(
    tx,
    before.map(({ sha256 }) => sha256),
  );
  await notifyInstances(tx, { kind: "member_updated", user_id: userId });
  await notifyInstances(tx, { kind: "me_updated", user_id: userId });
  return readMe(tx, userId);
}

/**
 * Somebody's avatar, for whoever is signed in. It may change under its address, so it is kept for a
 * minute only.
 * @throws Refusal `not_found`, also for somebody without one; `validation` for another size
 */
export async function serveAvatar(
  sql: SqlClient,
  storage: Storage,
  request: Request,
  userId: string,
  side: number,
): Promise<Response> {
  if (!AVATAR_SIDES.some((one) => one === side)) {
    throw invalid("/size", `A picture comes in the sizes ${AVATAR_SIDES.join(", ")}.`);
  }
  const [found] = await sql<{ sha256: Buffer; size_bytes: number }[]>`
    select sha256, size_bytes from avatars where user_id = ${userId} and side = ${side}`;
  if (!found) throw new Refusal("not_found", "There is no such picture.");
  const sent = { mime: "image/webp", disposition: "inline", cacheControl: "private, max-age=60" };
  return serve(request, storage, found, sent);
}
