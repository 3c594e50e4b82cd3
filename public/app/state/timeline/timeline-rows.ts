import type { Message } from "../../../../src/wire/models.ts";

/** One line of a room's history, as it is rendered. */
export type Row = { message: Message; head: boolean; isFirstUnread: boolean };
/** A local day, named by its first loaded message. */
export type Day = { key: string; at: string; rows: Row[] };

/** The fields that decide which messages share a head. */
type Line = Pick<Message, "created_at" | "via"> & { author: Pick<Message["author"], "id"> };

const SAME_HEAD_MS = 5 * 60_000;

/**
 * Messages by day, with heads where the author changes or five minutes have passed.
 * @param dayOf names the local day of a time
 * @param firstUnread the id of the first unread message, if any
 * @param replyGroups ids of messages that represent a group of replies and have no head
 * @param joins ids of messages below which joins are shown: the next message has a head
 */
export function groupByDay(
  messages: Message[],
  dayOf: (at: string) => string,
  firstUnread: string | null,
  replyGroups: { has(id: string): boolean } = new Set(),
  joins: { has(id: string): boolean } = new Set(),
): Day[] {
  const days: Day[] = [];
  let last: Message | null = null;
  for (const message of messages) {
    const key = dayOf(message.created_at);
    const isFirstUnread = message.id === firstUnread;
    if (days.at(-1)?.key !== key) {
      days.push({ key, at: message.created_at, rows: [] });
      last = null;
    }
    const isReplyGroup = replyGroups.has(message.id);
    const head: boolean = !isReplyGroup && (isFirstUnread || !last || !follows(last, message));
    days.at(-1)?.rows.push({ message, head, isFirstUnread });
    // A message after a group has a head with its author.
    last = isReplyGroup || joins.has(message.id) ? null : message;
  }
  return days;
}

/**
 * Whether unsent messages have a head, by the same rule as stored ones, so that nothing moves once
 * they are stored.
 * @param last the newest stored message; undefined in an empty room
 */
export function pendingHeads(
  lines: Line[],
  dayOf: (at: string) => string,
  last: Line | undefined,
): boolean[] {
  return lines.map((line, i) => {
    const before = lines[i - 1] ?? last;
    return !before || dayOf(before.created_at) !== dayOf(line.created_at) || !follows(before, line);
  });
}

function follows(last: Line, next: Line): boolean {
  return (
    last.author.id === next.author.id &&
    last.via?.name === next.via?.name &&
    Date.parse(next.created_at) - Date.parse(last.created_at) < SAME_HEAD_MS
  );
}

/** The fields of a stored or unsent message that decide whether its picture is in a gallery. */
export type Picture = Pick<Message, "content" | "image" | "file" | "group_id"> & {
  author_id: string;
};

export function asPicture(message: Message): Picture {
  const { content, image, file, group_id, author } = message;
  return { content, image, file, group_id, author_id: author.id };
}

/** The number of pictures in a folded gallery. */
export const FOLDED_TILES = 9;

/**
 * Groups consecutive pictures that were sent together; the first may have a text.
 * @param pictureOf null for a row that is in no gallery
 * @param begins whether a row starts a new group, because it has a head or is the first unread one
 * @returns the rows in groups; most groups have one row
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

/** Whether a picture belongs to the gallery that another picture starts. */
export function continuesGallery(first: Picture | null, next: Picture): boolean {
  if (!first || !isPart(first) || !isPart(next) || next.content) return false;
  return first.group_id === next.group_id && first.author_id === next.author_id;
}

function isPart({ image, file, group_id }: Picture): boolean {
  return image !== null && file === null && group_id !== null;
}
