import type { File, Image } from "../wire/models.ts";

/** Columns of `message_images` that an `Image` is built from. */
type ImageRow = Omit<Image, "url" | "alt"> & { room_id: string; sha256: Uint8Array };

/** Columns of `message_files` that a `File` is built from. */
type FileRow = Omit<File, "url"> & { room_id: string };

/** @param sha256 in hexadecimal */
export const imageUrl = (roomId: string, sha256: string) => `/api/rooms/${roomId}/images/${sha256}`;
export const fileUrl = (roomId: string, id: string) => `/api/rooms/${roomId}/files/${id}`;

export function toImage(row: ImageRow): Image {
  return {
    id: row.id,
    url: imageUrl(row.room_id, Buffer.from(row.sha256).toString("hex")),
    width: row.width,
    height: row.height,
    mime: row.mime,
    size_bytes: row.size_bytes,
    blurhash: row.blurhash,
    alt: null,
  };
}

export function toFile(row: FileRow): File {
  return {
    id: row.id,
    url: fileUrl(row.room_id, row.id),
    name: row.name,
    mime: row.mime,
    size_bytes: row.size_bytes,
  };
}
