import type { Message } from "../../../../src/wire/models.ts";

/** The parts of a message, stored or not, that decide whether its picture is in a gallery. */
export type Picture = Pick<Message, "content" | "image" | "file" | "group_id"> & {
  author_id: string;
};

/** A stored message in the form of `GalleryPart`. */
export function asPicture(message: Message): Picture {
  const { content, image, file, group_id, author } = message;
  return { content, image, file, group_id, author_id: author.id };
}

/** The number of pictures in a folded gallery. */
export const FOLDED_TILES = 9;

/**
 * Groups pictures of one send that directly follow each other: the first may have a text.
 * @param pictureOf null for a row that is in no gallery
 * @param begins whether a row begins a new group: it has a head, or is the first unread one
 * @returns runs of rows in their order; most have one row
 */
export function splitGalleries<Row>(
  rows: Row[],
  pictureOf: (row: Row) => Picture | null,
  begins: (row: Row) => boolean,
): Row[][] {
  const runs: Row[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const first = run?.[0];
    const picture = pictureOf(row);
    const isNext = first && picture && !begins(row) && continuesGallery(pictureOf(first), picture);
    if (isNext) run.push(row);
    else runs.push([row]);
  }
  return runs;
}

/** Whether a picture belongs to the gallery that another one begins. */
export function continuesGallery(first: Picture | null, next: Picture): boolean {
  if (!first || !isPart(first) || !isPart(next) || next.content) return false;
  return first.group_id === next.group_id && first.author_id === next.author_id;
}

function isPart({ image, file, group_id }: Picture): boolean {
  return image !== null && file === null && group_id !== null;
}
