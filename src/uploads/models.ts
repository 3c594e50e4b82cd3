import type { File, Image } from "../wire/models.ts";

/** What an `Image` is built from: columns of `message_images`. */
export type ImageRow = {
  id: string;
  room_id: string;
  sha256: Uint8Array;
  mime: string;
  width: number;
  height: number;
  size_bytes: number;
  blurhash: string | null;
};

/** What a `File` is built from: columns of `message_files`. */
export type FileRow = {
  id: string;
  room_id: string;
  name: string;
  mime: string;
  size_bytes: number;
};

export function toImage(row: ImageRow): Image {
  return {
    id: row.id,
    url: `/api/rooms/${row.room_id}/images/${Buffer.from(row.sha256).toString("hex")}`,
    width: row.width,
    height: row.height,
    mime: row.mime,
    size_bytes: row.size_bytes,
    blurhash: row.blurhash,
  };
}

export function toFile(row: FileRow): File {
  return {
    id: row.id,
    url: `/api/rooms/${row.room_id}/files/${row.id}`,
    name: row.name,
    mime: row.mime,
    size_bytes: row.size_bytes,
  };
}
