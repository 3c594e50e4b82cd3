import type { InlineContext, MarkdownConfig } from "@lezer/markdown";

/** Blocks in blocks: a list counts twice, for itself and its item. Deeper ones are lines of text. */
const MAX_DEPTH = 12;
/** Signs of emphasis in a paragraph: each may look through all before it. The rest is text. */
const MAX_DELIMITERS = 400;

const STAR = 42;
const UNDERSCORE = 95;
const TILDE = 126;

/** Keeps what a hostile text costs near what any other of its length does. */
export function limits(): MarkdownConfig {
  const seen = new WeakMap<InlineContext, number>();
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
    ],
    parseInline: [
      {
        name: "DelimiterLimit",
        before: "Emphasis",
        parse(cx, next, pos) {
          if (next !== STAR && next !== UNDERSCORE && next !== TILDE) return -1;
          const count = (seen.get(cx) ?? 0) + 1;
          seen.set(cx, count);
          if (count <= MAX_DELIMITERS) return -1;
          let end = pos + 1;
          while (cx.char(end) === next) end += 1;
          return end;
        },
      },
    ],
  };
}
