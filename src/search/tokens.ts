import { timeOfId } from "../platform/ids.ts";
import { parseMarkdown } from "../wire/markdown/parse.ts";
import type { Block, Inline } from "../wire/markdown/tree.ts";
import { tokenizeTexts } from "../wire/search-tokens.ts";

/**
 * The tokenizer's version. Increment it with every change of this file or of `wire/search-tokens.ts`:
 * all rooms are then reindexed, the newest messages first.
 */
export const TOKENS_VERSION = 1;

/** Filter tokens start with a character that no word starts with. */
export const authorToken = (number: number) => `@${number}`;
/** The token of a mention. @param number the account's `number` */
export const mentionToken = (number: number) => `&${number}`;
/** A message property, such as an image or a link. */
export type Flag = "image" | "file" | "link" | "code" | "voice" | "bot";
export const flagToken = (flag: Flag) => `!${flag}`;
/** Room tokens are also built in SQL, for the viewer's rooms. */
export const ROOM_SIGN = "#";
/** The token of a day. @param day days since 1970-01-01 in UTC */
export const dayToken = (day: number) => `%d${day}`;
/** The token of 32 days, so that a long range needs few tokens. */
export const monthToken = (month: number) => `%m${month}`;
export const DAYS_PER_MONTH = 32;

const DAY_MS = 86_400_000;

/** Converts a time to days since 1970-01-01 in UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

export function startOfDay(day: number): number {
  return day * DAY_MS;
}

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

/** Builds all tokens of a message, in the text format of `tsvector`. */
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

/** Quotes a token for the text formats of `tsvector` and `tsquery`. */
export function quoteToken(token: string): string {
  return `'${token.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

type Authorship = { via_name: string | null; is_bot: boolean };

/** Whether the message shows an account as its author. Messages from a webhook without a bot have none. */
function isWrittenByAuthor({ via_name, is_bot }: Authorship): boolean {
  return via_name === null || is_bot;
}

export function isByBot({ via_name, is_bot }: Authorship): boolean {
  return is_bot || via_name !== null;
}

/** Characters that every message with code contains, to avoid parsing most messages. */
const MAYBE_CODE = /`|~~~|^(?: {4}|\t)/m;

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
