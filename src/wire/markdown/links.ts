import type { InlineContext, MarkdownConfig, MarkdownParser } from "@lezer/markdown";
import { MAX_URL_LENGTH } from "../limits.ts";
import { isLink } from "./tokens.ts";

const OPEN = 91;
const CLOSE = 93;
const BACKSLASH = 92;
const EXCLAMATION = 33;
const MAX_LABEL_LENGTH = 500;
/** Brackets in a paragraph; the cost of each grows with their number. Others become text. */
const MAX_BRACKETS = 200;

/** `(https://example.org "a title")`, in the few forms that people write. */
const TARGET = new RegExp(
  String.raw`\(\s{0,9}(?:<([^<>\n]{0,${MAX_URL_LENGTH}})>|((?:[^\s<>()]|\([^\s<>()]*\)){0,${MAX_URL_LENGTH}}))` +
    String.raw`(?:\s{1,9}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?\s{0,9}\)`,
  "y",
);

/**
 * Parses `[text](url)`, and `![text](url)` in the same way. The parser's own rule also supports
 * reference links, and searches all open brackets at each bracket; this one parses a link from its
 * first bracket.
 * @param labels parses the link text, which may contain styles but no links
 */
export function createLinks(labels: MarkdownParser): MarkdownConfig {
  return {
    defineNodes: ["LinkTarget"],
    parseInline: [
      {
        name: "InlineLink",
        after: "InlineCode",
        parse(cx, next, pos) {
          const isImage = isImageMark(cx, next, pos);
          if (next !== OPEN && !isImage) return -1;
          const open = isImage ? pos + 1 : pos;
          const target = readTarget(cx, open, countBracket(cx));
          if (!target) return -1;
          const { close, end, from, url } = target;
          return cx.addElement(
            cx.elt("Link", pos, end, [
              cx.elt("LinkMark", pos, open + 1),
              ...labels.parseInline(cx.slice(open + 1, close), open + 1),
              cx.elt("LinkTarget", close, end, [cx.elt("URL", from, from + url.length)]),
            ]),
          );
        },
      },
    ],
  };
}

const bracketCounts = new WeakMap<InlineContext, number>();

/** @returns the number of brackets tried in the paragraph */
function countBracket(cx: InlineContext): number {
  const count = (bracketCounts.get(cx) ?? 0) + 1;
  bracketCounts.set(cx, count);
  return count;
}

/** Replaces an image within link text, such as a badge, by its alternative text. */
export const labelImages: MarkdownConfig = {
  parseInline: [
    {
      name: "LabelImage",
      after: "InlineCode",
      parse(cx, next, pos) {
        if (!isImageMark(cx, next, pos)) return -1;
        const target = readTarget(cx, pos + 1, countBracket(cx));
        return target ? cx.addElement(cx.elt("LabelImage", pos, target.end)) : -1;
      },
    },
  ],
};

/** External images are not shown; they become links with their alternative text. */
function isImageMark(cx: InlineContext, next: number, pos: number): boolean {
  return next === EXCLAMATION && cx.char(pos + 1) === OPEN;
}

/** Parses `text](url)` after a bracket; null if it is not a link. */
function readTarget(cx: InlineContext, open: number, count: number) {
  const close = count > MAX_BRACKETS ? -1 : findClose(cx, open);
  if (close === -1) return null;
  TARGET.lastIndex = close + 1 - cx.offset;
  const target = TARGET.exec(cx.text);
  const url = target?.[1] ?? target?.[2] ?? "";
  if (!target || !isLink(url)) return null;
  const from = close + 1 + target[0].indexOf(url);
  return { close, end: close + 1 + target[0].length, from, url };
}

/** @returns the position of the closing bracket; -1 if it is not nearby */
function findClose(cx: InlineContext, open: number): number {
  const { text, offset } = cx;
  const end = Math.min(text.length, open - offset + MAX_LABEL_LENGTH);
  let depth = 0;
  for (let at = open - offset; at < end; at++) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at += 1;
    else if (char === OPEN) depth += 1;
    else if (char === CLOSE && --depth === 0) return at + offset;
  }
  return -1;
}
