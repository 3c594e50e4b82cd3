import { fileUrl, imageUrl } from "../uploads/models.ts";
import type { KeptRoom } from "../wire/keeping.ts";
import type { File, Image } from "../wire/models.ts";

/** What an own row shows of its room, while its owner is in it, and of the uploads that it names. */
export type KeptColumns = {
  room_id: string;
  room: KeptRoom | null;
  image: (Omit<Image, "url" | "alt"> & { sha256: string }) | null;
  file: Omit<File, "url"> | null;
};

/**
 * SQL columns of `KeptColumns` but `room_id`.
 * @param k an alias of a row with `user_id`, `room_id`, `image_id` and `file_id`
 */
export const keptColumns = (k: string) => `(
    select json_build_object('id', r.id, 'kind', r.kind, 'name', r.name)
    from memberships ms join rooms r on r.id = ms.room_id
    where ms.user_id = ${k}.user_id and ms.room_id = ${k}.room_id and r.deleted_at is null
  ) as room, (
    select json_build_object('id', id, 'sha256', encode(sha256, 'hex'), 'width', width,
      'height', height, 'mime', mime, 'size_bytes', size_bytes, 'blurhash', blurhash)
    from message_images where id = ${k}.image_id and uploader_id = ${k}.user_id
  ) as image, (
    select json_build_object('id', id, 'name', name, 'mime', mime, 'size_bytes', size_bytes)
    from message_files where id = ${k}.file_id and uploader_id = ${k}.user_id
  ) as file`;

/** @param alt the words for the image */
export function toUploads({ room_id, image, file }: KeptColumns, alt: string | null) {
  return {
    image: image && toOwnImage(room_id, image, alt),
    file: file && { ...file, url: fileUrl(room_id, file.id) },
  };
}

function toOwnImage(
  roomId: string,
  { sha256, ...image }: NonNullable<KeptColumns["image"]>,
  alt: string | null,
): Image {
  return { ...image, url: imageUrl(roomId, sha256), alt };
}
