import type { MarkdownConfig } from "@lezer/markdown";

const SIGN = 35;
const BEGINNING = /^#{1,6}[ \t]/;
/** Signs, a blank, and a text in which a closing row of signs does not count. */
const HEADING = /^(#{1,6}[ \t]+)(\S.*?)(?:[ \t]+#+)?[ \t]*$/;

/**
 * `## Headings`. The parser's own rule takes signs without a text for headings, too: in a chat they are
 * text, and many of them would cost more than other texts of their length.
 */
export const headings: MarkdownConfig = {
  parseBlock: [
    {
      name: "Heading",
      before: "FencedCode",
      parse(cx, line) {
        if (line.next !== SIGN || !BEGINNING.test(line.text.slice(line.pos, line.pos + 8))) {
          return false;
        }
        const [, signs = "", text = ""] = HEADING.exec(line.text.slice(line.pos)) ?? [];
        if (text === "" || /^#+$/.test(text)) return false;
        const from = cx.lineStart + line.pos + signs.length;
        const level = signs.trimEnd().length;
        const children = cx.parser.parseInline(text, from);
        cx.addElement(cx.elt(`ATXHeading${level}`, from, from + text.length, children));
        cx.nextLine();
        return true;
      },
    },
  ],
};
