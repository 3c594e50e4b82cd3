import type { Database, Transaction } from "../database/connect.ts";
import { messageFiles, messageImages } from "../database/schema.ts";
import { blurhashOf, fitImage, smallPicture } from "../platform/images.ts";
import { receiveFile, type Received } from "../platform/multipart.ts";
import { requestInfo } from "../platform/request-info.ts";
import type { Store } from "../platform/storage/open.ts";
import { checkSeat, lockSeat, refuseArchived } from "../rooms/access.ts";
import { IMAGE_SIDE, THUMB_SIDE } from "../wire/limits.ts";
import type { File, Image } from "../wire/models.ts";
import { keepBytes, keepFile, nameBlobs } from "./blobs.ts";
import { readUploadLimit, tooLarge } from "./limit.ts";
import { checkUnusedUploads } from "./quota.ts";
import { toFile, toImage } from "./models.ts";

/** Who uploads what, and where. */
export type Upload = { actorId: string; roomId: string; request: Request };

/**
 * Takes an image in for a message of this room.
 * @throws Refusal of `checkSeat`, `receiveFile` and `fitImage`; `room_archived`, `too_large`
 */
export async function uploadImage(
  database: Database,
  store: Store,
  upload: Upload,
): Promise<Image> {
  const { sql } = database;
  const maxBytes = await admit(database, upload);
  return store.incoming.use(async (newPath) => {
    const source = newPath();
    await receive(upload.request, source, maxBytes);
    const shown = newPath();
    const { mime, width, height } = await fitImage(source, IMAGE_SIDE, shown);
    const path = mime === "image/gif" ? source : shown;
    const blurhash = await blurhashOf(path);
    const isLarge = Math.max(width, height) > THUMB_SIDE;
    const thumb = isLarge
      ? await keepBytes(sql, store, (await smallPicture(path, THUMB_SIDE)).bytes)
      : null;
    const { sha256, sizeBytes } = await keepFile(sql, store, path);
    const kept = { sha256, thumbSha256: thumb?.sha256, mime, width, height, sizeBytes, blurhash };
    const row = { ...kept, ...placeOf(upload) };
    const hashes = thumb ? [sha256, thumb.sha256] : [sha256];
    await name(database, upload, hashes, (tx) => tx.insert(messageImages).values(row));
    return toImage({ ...row, room_id: row.roomId, size_bytes: sizeBytes });
  });
}

/**
 * Takes a file of any type in for a message of this room, as it is.
 * @throws Refusal of `checkSeat` and `receiveFile`; `room_archived`, `too_large`
 */
export async function uploadFile(database: Database, store: Store, upload: Upload): Promise<File> {
  const maxBytes = await admit(database, upload);
  return store.incoming.use(async (newPath) => {
    const path = newPath();
    const received = await receive(upload.request, path, maxBytes);
    const { sha256, sizeBytes } = await keepFile(database.sql, store, path);
    const row = { ...placeOf(upload), ...received, sha256, sizeBytes };
    await name(database, upload, [sha256], (tx) => tx.insert(messageFiles).values(row));
    return toFile({ ...row, room_id: row.roomId, size_bytes: sizeBytes });
  });
}

/**
 * Whether an upload may begin, before its body is read.
 * @returns how large it may be, in bytes
 */
async function admit({ sql }: Database, { actorId, roomId }: Upload): Promise<number> {
  refuseArchived(await checkSeat(sql, actorId, roomId, "member"), "upload");
  const maxBytes = await readUploadLimit(sql);
  await checkUnusedUploads(sql, actorId, maxBytes);
  return maxBytes;
}

/**
 * Takes a request's file in, under a cap.
 * @throws Refusal `too_large`, and those of `receiveFile`
 */
export async function receive(request: Request, path: string, maxBytes: number): Promise<Received> {
  const { idleSeconds, setTimeout } = requestInfo(request);
  // Bun counts the time that a whole body takes; what stalls is found here.
  setTimeout(0);
  try {
    return await receiveFile(request, path, {
      maxBytes,
      tooLarge: () => tooLarge(maxBytes),
      idleSeconds,
    });
  } finally {
    setTimeout(idleSeconds);
  }
}

function placeOf({ actorId, roomId }: Upload) {
  return { id: Bun.randomUUIDv7(), roomId, uploaderId: actorId };
}

/** Names the bytes in the room, if the sender is in it still: the upload may have taken a while. */
function name(
  { db }: Database,
  { actorId, roomId }: Upload,
  hashes: Buffer[],
  insert: (tx: Transaction) => PromiseLike<unknown>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { room } = await lockSeat(tx, actorId, roomId, "member");
    refuseArchived(room, "upload");
    await nameBlobs(tx, hashes);
    await insert(tx);
  });
}
