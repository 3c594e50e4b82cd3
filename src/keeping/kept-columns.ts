import { fileUrl, imageUrl } from "../uploads/models.ts";
import type { KeptRoom } from "../wire/keeping.ts";
import type { File, Image } from "../wire/models.ts";

/**
 * What a saved message, a scheduled message or a draft shows of its room, while its owner is in it,
 * and of its uploads.
 */
export type KeptColumns = {
  room_id: string;
  /** Null where its owner is not in the room. */
  room_kind: KeptRoom["kind"] | null;
  room_name: string | null;
  image: (Omit<Image, "url" | "alt"> & { sha256: string }) | null;
  file: Omit<File, "url"> | null;
};

/**
 * SQL columns of `KeptColumns` but `room_id`.
 * @param k an alias of a row with `user_id`, `room_id`, `image_id` and `file_id`
 */
export const keptColumns = (k: string) => `
  kept_room.kind as room_kind, kept_room.name as room_name,
  case when ${k}.image_id is not null then (
    select json_build_object('id', id, 'sha256', encode(sha256, 'hex'), 'width', width,
      'height', height, 'mime', mime, 'size_bytes', size_bytes, 'blurhash', blurhash)
    from message_images where id = ${k}.image_id and uploader_id = ${k}.user_id
  ) end as image,
  case when ${k}.file_id is not null then (
    select json_build_object('id', id, 'name', name, 'mime', mime, 'size_bytes', size_bytes)
    from message_files where id = ${k}.file_id and uploader_id = ${k}.user_id
  ) end as file`;

/** SQL joins that the columns need: read together, the rooms of a list cost less than each by itself. */
export const keptJoins = (k: string) => `
  left join memberships kept_seat on kept_seat.user_id = ${k}.user_id and kept_seat.room_id = ${k}.room_id
  left join rooms kept_room on kept_room.id = kept_seat.room_id and kept_room.deleted_at is null`;

export function toKeptRoom({ room_id, room_kind, room_name }: KeptColumns): KeptRoom | null {
  return room_kind && { id: room_id, kind: room_kind, name: room_name };
}

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
