import { timeOfId } from "../platform/ids.ts";
import { parseMarkdown } from "../wire/markdown/parse.ts";
import type { Block, Inline } from "../wire/markdown/tree.ts";
import { tokenizeTexts } from "../wire/search-tokens.ts";

/**
 * The version of the tokenizer: raise it with each change of this file or of
 * `wire/search-tokens.ts`. Every room is then indexed again, the newest messages first.
 */
export const TOKENS_VERSION = 1;

/** Tokens of filters begin with a sign that begins no word. */
export const authorToken = (number: number) => `@${number}`;
/** The token of a mention. @param number of the account */
export const mentionToken = (number: number) => `&${number}`;
/** The token of a property of a message: an image or a link, for example. */
export const flagToken = (flag: "image" | "file" | "link" | "code" | "voice" | "bot") => `!${flag}`;
/** The token of a room is made in SQL too, of the rooms that the reader is in. */
export const ROOM_SIGN = "#";
/** The token of a day. @param day counted from 1970 in UTC */
export const dayToken = (day: number) => `%d${day}`;
/** A token for 32 days, so that a long time takes few. */
export const monthToken = (month: number) => `%m${month}`;
export const DAYS_PER_MONTH = 32;

const DAY_MS = 86_400_000;

/** Days since 1970, in UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The first millisecond of a day, since 1970. @param day counted from 1970 in UTC */
export function startOfDay(day: number): number {
  return day * DAY_MS;
}

/** A message as it is indexed. */
export type IndexedMessageRow = {
  id: string;
  room_id: string;
  seq: number;
  room_number: number;
  author_number: number;
  content: string | null;
  file_name: string | null;
  preview_title: string | null;
  thread_title: string | null;
  has_image: boolean;
  has_link: boolean;
  via_name: string | null;
  is_bot: boolean;
  mention_numbers: number[];
};

/** Everything that a message is found by, as the text of a `tsvector`. */
export function makeSearchVector(row: IndexedMessageRow): string {
  const { content, file_name, preview_title, thread_title } = row;
  const texts = [content, file_name, preview_title, thread_title].filter((text) => text !== null);
  const day = dayOf(timeOfId(row.id));
  const tokens = [
    ...tokenizeTexts(texts),
    `${ROOM_SIGN}${row.room_number}`,
    dayToken(day),
    monthToken(Math.floor(day / DAYS_PER_MONTH)),
    ...row.mention_numbers.map(mentionToken),
    ...(isWrittenByAuthor(row) ? [authorToken(row.author_number)] : []),
    ...(row.has_image ? [flagToken("image")] : []),
    ...(row.file_name === null ? [] : [flagToken("file")]),
    ...(row.has_link ? [flagToken("link")] : []),
    ...(hasCode(row.content) ? [flagToken("code")] : []),
    ...(isByBot(row) ? [flagToken("bot")] : []),
  ];
  return tokens.map(quoteToken).join(" ");
}

/** A token in quotes, as the texts of `tsvector` and `tsquery` take it. */
export function quoteToken(token: string): string {
  return `'${token.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

type Authorship = { via_name: string | null; is_bot: boolean };

/**
 * Whether the message shows an account as its author: posts of a webhook without a bot belong to
 * none.
 */
function isWrittenByAuthor({ via_name, is_bot }: Authorship): boolean {
  return via_name === null || is_bot;
}

/** Whether a bot or a webhook wrote a message. */
export function isByBot({ via_name, is_bot }: Authorship): boolean {
  return is_bot || via_name !== null;
}

/** Characters that every text with code has, so that most texts are not parsed. */
const MAYBE_CODE = /`|~~~|^(?: {4}|\t)/m;

/** Whether a text has code, in a line or in a block. */
export function hasCode(content: string | null): boolean {
  return content !== null && MAYBE_CODE.test(content) && parseMarkdown(content).some(blockHasCode);
}

function blockHasCode(block: Block): boolean {
  if (block.type === "code") return true;
  if (block.type === "paragraph") return block.children.some(inlineHasCode);
  if (block.type === "quote") return block.children.some(blockHasCode);
  if (block.type === "list") return block.items.flat().some(blockHasCode);
  if (block.type === "table") return [block.head, ...block.rows].flat(2).some(inlineHasCode);
  return block.type === "heading" && block.children.some(inlineHasCode);
}

function inlineHasCode(inline: Inline): boolean {
  return inline.type === "code" || ("children" in inline && inline.children.some(inlineHasCode));
}
