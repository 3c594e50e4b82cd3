import type { File, Image } from "../wire/models.ts";

/** The fields that an `Image` is built from. */
export type ImageRow = Omit<Image, "url"> & {
  /** In hexadecimal. */
  sha256: string;
};
export type FileRow = Omit<File, "url">;

/** SQL: the arguments of `json_build_object` for `ImageRow` from `message_images`, except `alt`. */
export const IMAGE_FIELDS = `'id', id, 'sha256', encode(sha256, 'hex'), 'width', width,
  'height', height, 'mime', mime, 'size_bytes', size_bytes, 'blurhash', blurhash`;
/** SQL: the arguments of `json_build_object` for `FileRow` from `message_files`. */
export const FILE_FIELDS = "'id', id, 'name', name, 'mime', mime, 'size_bytes', size_bytes";

export function toImage(roomId: string, row: ImageRow): Image {
  const { id, width, height, mime, size_bytes, blurhash, alt } = row;
  const url = `/api/rooms/${roomId}/images/${row.sha256}`;
  return { id, url, width, height, mime, size_bytes, blurhash, alt };
}

export function toFile(roomId: string, { id, name, mime, size_bytes }: FileRow): File {
  return { id, url: `/api/rooms/${roomId}/files/${id}`, name, mime, size_bytes };
}
