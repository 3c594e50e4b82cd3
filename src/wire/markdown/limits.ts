import type { InlineContext, LeafBlock, MarkdownConfig } from "@lezer/markdown";

/** Nested blocks; a list counts twice, for itself and its item. Deeper blocks become text. */
const MAX_DEPTH = 12;
/** Emphasis marks in a paragraph; the cost of each grows with their number. */
const MAX_DELIMITERS = 400;

/**
 * Maximum number of quote marks in a paragraph, because each copies the styles around it. Above the
 * limit a new paragraph starts, which is rendered as a continuation.
 */
const MAX_QUOTE_MARKS = 250;

const STAR = 42;
const UNDERSCORE = 95;
const TILDE = 126;

/** Limits the cost of parsing hostile text to about that of ordinary text of the same length. */
export function createLimits(): MarkdownConfig {
  const delimiters = new WeakMap<InlineContext, number>();
  const marks = new WeakMap<LeafBlock, number>();
  return {
    parseBlock: [
      {
        name: "DepthLimit",
        before: "FencedCode",
        parse(cx, line) {
          if (cx.depth < MAX_DEPTH) return false;
          const from = cx.lineStart + line.pos;
          const text = line.text.slice(line.pos);
          const children = cx.parser.parseInline(text, from);
          cx.addElement(cx.elt("Paragraph", from, from + text.length, children));
          cx.nextLine();
          return true;
        },
      },
      {
        name: "QuoteMarkLimit",
        endLeaf(_, line, leaf) {
          const count = (marks.get(leaf) ?? 0) + line.markers.length;
          marks.set(leaf, count);
          return count > MAX_QUOTE_MARKS;
        },
      },
    ],
    parseInline: [
      {
        name: "DelimiterLimit",
        before: "Emphasis",
        parse(cx, next, pos) {
          if (next !== STAR && next !== UNDERSCORE && next !== TILDE) return -1;
          const count = (delimiters.get(cx) ?? 0) + 1;
          delimiters.set(cx, count);
          if (count <= MAX_DELIMITERS) return -1;
          let end = pos + 1;
          while (cx.char(end) === next) end += 1;
          return end;
        },
      },
    ],
  };
}
