import { parseMarkdown } from "../../../src/wire/markdown/parse.ts";
import { blockToText } from "../../../src/wire/markdown/plain.ts";
import type { Block, Inline } from "../../../src/wire/markdown/tree.ts";
import { findMatches, type Range } from "../../../src/wire/search-match.ts";
import type { SearchTerm } from "../../../src/wire/search.ts";
import { isInCode } from "../state/composer/formatting.ts";

/** How many characters are shown before the first match, and in all. */
const BEFORE = 48;
const LENGTH = 240;
/** How much Markdown is parsed, and how much of it before the first match, since parsing is slow. */
const SOURCE_LENGTH = 2_000;
const SOURCE_BEFORE = 500;

export type Found = { text: string; matches: Range[] };
const NOTHING: Found = { text: "", matches: [] };

/**
 * The part of a message around its first match as displayed, without Markdown, and the address of a
 * link if only the address matches.
 * @param matches in the Markdown
 */
export function readFound(
  content: string,
  matches: Range[],
  terms: SearchTerm[],
): { shown: Found; address: Found } {
  const from = startOfSource(content, matches);
  const to = from + SOURCE_LENGTH;
  const fence = from > 0 && isInCode(content, from) ? "```\n" : "";
  const blocks = parseMarkdown(fence + content.slice(from, to).toWellFormed());
  const plain = blocks.map(blockToText).join(" ").replace(/\s+/g, " ").trim();
  const text = `${from > 0 ? "… " : ""}${plain}${to < content.length ? " …" : ""}`;
  const shown = { text, matches: findMatches(text, terms) };
  if (shown.matches.length > 0) return { shown, address: NOTHING };
  const addresses = blocks
    .flatMap(addressesOf)
    .map((url) => ({ text: url, matches: findMatches(url, terms) }));
  const address = addresses.find((found) => found.matches.length > 0) ?? NOTHING;
  return { shown, address };
}

/** How many matches are tried to find one outside of an address. */
const MAX_TRIED = 20;
/** The Markdown of a link between its text and a match in its address. */
const IN_ADDRESS = /\]\([^\s)]*$/;
const MAX_ADDRESS = 300;

/** The start of the line from which a text is parsed; 0 if that is short enough. */
function startOfSource(content: string, matches: Range[]): number {
  if (content.length <= SOURCE_LENGTH) return 0;
  const [first] = matches
    .slice(0, MAX_TRIED)
    .map(([start]) => start)
    .filter((at) => !IN_ADDRESS.test(content.slice(Math.max(0, at - MAX_ADDRESS), at)));
  const at = Math.max(0, (first ?? matches[0]?.[0] ?? 0) - SOURCE_BEFORE);
  const line = content.lastIndexOf("\n", at) + 1;
  return at - line < SOURCE_BEFORE ? line : startOfWord(content, at);
}

function addressesOf(block: Block): string[] {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return block.children.flatMap(addressesIn);
    case "quote":
      return block.children.flatMap(addressesOf);
    case "list":
      return block.items.flat().flatMap(addressesOf);
    case "table":
      return [block.head, ...block.rows].flat(2).flatMap(addressesIn);
    default:
      return [];
  }
}

function addressesIn(inline: Inline): string[] {
  if (inline.type === "link") return [inline.url];
  return "children" in inline ? inline.children.flatMap(addressesIn) : [];
}

/** The part of a text around its first match, with the matches marked, shortened to a few lines. */
export function Snippet({ text, matches }: Found) {
  const first = matches[0]?.[0] ?? 0;
  const from = first <= BEFORE ? 0 : startOfWord(text, first - BEFORE);
  const to = endOfCharacter(text, from + LENGTH);
  const visible = matches.filter(([start, end]) => start >= from && end <= to);
  let at = from;
  const pieces = visible.flatMap(([start, end]) => {
    const before = text.slice(at, start);
    at = end;
    return [before, <mark key={start}>{text.slice(start, end)}</mark>];
  });
  return (
    <>
      {from > 0 && "… "}
      {pieces}
      {text.slice(at, to)}
      {to < text.length && " …"}
    </>
  );
}

/** The start of the word near a position; in a text without spaces the position itself. */
function startOfWord(text: string, place: number): number {
  const blank = text.indexOf(" ", place);
  return blank === -1 || blank > place + BEFORE / 2 ? endOfCharacter(text, place) : blank + 1;
}

/** Moves a position out of a surrogate pair. */
function endOfCharacter(text: string, place: number): number {
  if (place >= text.length) return text.length;
  return /[\udc00-\udfff]/.test(text[place] ?? "") ? place + 1 : place;
}
