import type { Database, Transaction } from "../database/connect.ts";
import { messageFiles, messageImages } from "../database/schema.ts";
import { blurhashOf, normalizeImage, createThumbnail } from "../platform/images/images.ts";
import { receiveFile, type ReceivedFile } from "../platform/http/multipart.ts";
import { requestInfo } from "../platform/http/request-info.ts";
import type { Store } from "../platform/storage/open.ts";
import { requireMembership, lockMembership } from "../rooms/access.ts";
import { refuseReadOnly } from "../rooms/refusals.ts";
import { IMAGE_SIDE, THUMB_SIDE } from "../wire/limits.ts";
import type { File, Image } from "../wire/models.ts";
import { linkBlobs, storeBytes, storeFile } from "./blobs.ts";
import { makeTooLargeRefusal, readUploadLimit } from "./limit.ts";
import { toFile, toImage } from "./models.ts";
import { checkUnusedUploads } from "./unused.ts";

/** A call of a route whose `:id` is the room. */
type Upload = { actor: { id: string }; params: { id: string }; request: Request };

/**
 * Receives an image for a message of this room.
 * @throws Refusal of `requireMembership`, `receiveFile` and `normalizeImage`; `room_archived`, `too_large`
 */
export async function uploadImage(
  database: Database,
  store: Store,
  upload: Upload,
): Promise<Image> {
  const { db } = database;
  const maxBytes = await checkUpload(database, upload);
  return store.incoming.use(async (newPath) => {
    const source = newPath();
    await receiveUpload(upload.request, source, maxBytes);
    const fittedPath = newPath();
    const { mime, width, height, isMoving } = await normalizeImage(source, IMAGE_SIDE, fittedPath);
    const path = mime === "image/gif" ? source : fittedPath;
    const blurhash = await blurhashOf(path);
    // Thumbnails are not animated. Clients load a GIF in full anyway.
    const isShownWhole = isMoving && mime !== "image/gif";
    const needsThumb = Math.max(width, height) > THUMB_SIDE && !isShownWhole;
    const thumb = needsThumb
      ? await storeBytes(db, store, (await createThumbnail(path, THUMB_SIDE)).bytes)
      : null;
    const { sha256, sizeBytes } = await storeFile(db, store, path);
    const image = { sha256, thumbSha256: thumb?.sha256, mime, width, height, sizeBytes, blurhash };
    const row = { ...image, ...ownerOf(upload) };
    const hashes = thumb ? [sha256, thumb.sha256] : [sha256];
    await linkUpload(database, upload, hashes, (tx) => tx.insert(messageImages).values(row));
    const details = { sha256: sha256.toString("hex"), size_bytes: sizeBytes, alt: null };
    return toImage(row.roomId, { ...row, ...details });
  });
}

/**
 * Receives a file of any type for a message of this room, and stores it unchanged.
 * @throws Refusal of `requireMembership` and `receiveFile`; `room_archived`, `too_large`
 */
export async function uploadFile(database: Database, store: Store, upload: Upload): Promise<File> {
  const maxBytes = await checkUpload(database, upload);
  return store.incoming.use(async (newPath) => {
    const path = newPath();
    const info = await receiveUpload(upload.request, path, maxBytes);
    const { sha256, sizeBytes } = await storeFile(database.db, store, path);
    const row = { ...ownerOf(upload), ...info, sha256, sizeBytes };
    await linkUpload(database, upload, [sha256], (tx) => tx.insert(messageFiles).values(row));
    return toFile(row.roomId, { ...row, size_bytes: sizeBytes });
  });
}

/** Called before the body is read. @returns the maximum size in bytes */
async function checkUpload({ db, sql }: Database, { actor, params }: Upload): Promise<number> {
  const room = await requireMembership(sql, actor.id, params.id, "member");
  refuseReadOnly({ isArchived: room.is_archived, isClosed: room.is_closed }, "upload");
  const maxBytes = await readUploadLimit(db);
  await checkUnusedUploads(db, actor.id, maxBytes);
  return maxBytes;
}

/** @throws Refusal `too_large`, and those of `receiveFile` */
export async function receiveUpload(
  request: Request,
  path: string,
  maxBytes: number,
): Promise<ReceivedFile> {
  const info = requestInfo(request);
  // Bun's timeout applies to the whole body; `receiveFile` aborts only a stalled one.
  info.setTimeout(0);
  try {
    return await receiveFile(request, path, {
      maxBytes,
      makeTooLargeRefusal: () => makeTooLargeRefusal(maxBytes),
      idleSeconds: info.idleSeconds,
    });
  } finally {
    info.setTimeout(info.idleSeconds);
  }
}

function ownerOf({ actor, params }: Upload) {
  return { id: Bun.randomUUIDv7(), roomId: params.id, uploaderId: actor.id };
}

/** Inserts the upload's row if its sender is still a member of the room. */
function linkUpload(
  { db }: Database,
  { actor, params }: Upload,
  hashes: Buffer[],
  insert: (tx: Transaction) => PromiseLike<unknown>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { room } = await lockMembership(tx, actor.id, params.id, "member");
    refuseReadOnly(room, "upload");
    await linkBlobs(tx, hashes);
    await insert(tx);
  });
}
