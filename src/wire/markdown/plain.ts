import { parseMarkdown } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";

/** Converts Markdown to plain text on one line, for notifications and lists. */
export function toPlainText(source: string): string {
  return parseMarkdown(source).map(blockToText).join(" ").replace(/\s+/g, " ").trim();
}

export function blockToText(block: Block): string {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return block.children.map(ofInline).join("");
    case "code":
      return block.text;
    case "quote":
      return `“${block.children.map(blockToText).join(" ")}”`;
    case "list":
      return block.items.map((item) => item.map(blockToText).join(" ")).join(", ");
    case "table":
      return [block.head, ...block.rows]
        .map((cells) => cells.map((cell) => cell.map(ofInline).join("")).join(", "))
        .join("; ");
    case "rule":
      return "";
  }
}

function ofInline(inline: Inline): string {
  if (inline.type === "break") return " ";
  if (inline.type === "task") return inline.isDone ? "☑ " : "☐ ";
  return "children" in inline ? inline.children.map(ofInline).join("") : inline.text;
}

/** Markdown to parse per character of an excerpt, since links are longer than their text. */
const SOURCE_RATIO = 4;
const MIN_SOURCE_LENGTH = 1_000;

/** The part of a text that determines its excerpt, plus one character to show that the text continues. */
export function cutForExcerpt(source: string, limit: number): string {
  return source.trimStart().slice(0, sourceLengthOf(limit) + 1);
}

function sourceLengthOf(limit: number): number {
  return Math.max(SOURCE_RATIO * limit, MIN_SOURCE_LENGTH);
}

/**
 * Builds an excerpt: the start of a text as plain text on one line, for a reply's root or a quote. The
 * service and the client build the same excerpt.
 * @param limit in code points; longer text is cut at the last space before it and ends with "…"
 * @returns null if there is no text
 */
export function makeExcerpt(source: string | null, limit: number): string | null {
  const trimmed = (source ?? "").trimStart();
  const start = trimmed.slice(0, sourceLengthOf(limit)).toWellFormed();
  const isCut = start.length < trimmed.length;
  const text = toPlainText(start);
  if (text === "") return isCut ? "…" : null;
  const characters = [...text];
  if (!isCut && characters.length <= limit) return text;
  const excerpt = characters.slice(0, limit - 1);
  // Cuts at the limit if it is the end of a word, otherwise before that word.
  const end = characters[limit - 1] === " " ? excerpt.length : excerpt.lastIndexOf(" ");
  return `${(end > 0 ? excerpt.slice(0, end) : excerpt).join("").trimEnd()}…`;
}
