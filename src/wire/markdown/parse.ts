import type { TreeCursor } from "@lezer/common";
import { type MarkdownConfig, parser, Strikethrough, Table, TaskList } from "@lezer/markdown";
import { emphasis } from "./emphasis.ts";
import { createLimits } from "./limits.ts";
import { createLinks, labelImages } from "./links.ts";
import { tokens } from "./tokens.ts";
import type { Align, Block, Inline } from "./tree.ts";

const NUMBER_SIGN = 35;
const HEADING_START = /^#{1,6}[ \t]/;
/** Number signs, a space, and the heading's text, optionally followed by closing number signs. */
const HEADING = /^(#{1,6}[ \t]+)(\S.*?)(?:[ \t]+#+)?[ \t]*$/;

/**
 * Parses `## Headings`. The parser's own rule also accepts number signs without text, which should be
 * literal in a chat, and is slow with many of them.
 */
const headings: MarkdownConfig = {
  parseBlock: [
    {
      name: "Heading",
      before: "FencedCode",
      parse(cx, line) {
        if (
          line.next !== NUMBER_SIGN ||
          !HEADING_START.test(line.text.slice(line.pos, line.pos + 8))
        ) {
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

const STYLES: Record<string, "strong" | "em" | "strike"> = {
  StrongEmphasis: "strong",
  Emphasis: "em",
  Strikethrough: "strike",
};
const NAMES: Record<string, "mention" | "room" | "emoji"> = {
  Mention: "mention",
  Room: "room",
  Emoji: "emoji",
};
/** Maximum nesting depth of styles to render. */
const MAX_STYLES = 12;

/** Underlined headings, raw HTML, entities, references and indented code are plain text. */
const base = parser.configure([
  {
    remove: [
      ...["ATXHeading", "SetextHeading", "HTMLBlock", "IndentedCode", "LinkReference"],
      ...["Link", "LinkEnd", "Image", "HTMLTag", "Entity", "HardBreak"],
    ],
  },
  Strikethrough,
  emphasis,
  Table,
  TaskList,
  headings,
  createLimits(),
  // Node types are numbered by the parser that defines them, and two parsers extend this one.
  { defineNodes: ["LabelImage"] },
]);
const full = base.configure([createLinks(base.configure(labelImages)), tokens]);

/** Parses a message: finds @mentions, #rooms, :emoji: names and URLs outside of code and links. */
export function parseMarkdown(source: string): Block[] {
  return new Reader(source).blocks(full.parse(source).cursor());
}

/** Converts the parser's tree, which contains only positions, to our tree. */
class Reader {
  /** Within a table cell, `\\|` always means a literal bar (GFM, "Tables"). */
  #isInCell = false;

  constructor(private readonly source: string) {}

  #slice(from: number, to: number): string {
    const text = this.source.slice(from, to);
    return this.#isInCell ? text.replaceAll("\\|", "|") : text;
  }

  blocks(cursor: TreeCursor): Block[] {
    const blocks: Block[] = [];
    if (!cursor.firstChild()) return blocks;
    let last = cursor.from;
    do {
      const block = this.#block(cursor);
      if (!block) continue;
      const before = blocks.at(-1);
      // The parser ends a paragraph where a block might start; if none did, the paragraph
      // continues.
      const isContinued = this.source.slice(last, cursor.from).split("\n").length <= 2;
      if (isContinued && before?.type === "paragraph" && block.type === "paragraph") {
        before.children.push({ type: "break" }, ...block.children);
      } else blocks.push(block);
      last = cursor.to;
    } while (cursor.nextSibling());
    cursor.parent();
    return blocks;
  }

  #block(cursor: TreeCursor): Block | null {
    switch (cursor.name) {
      case "Paragraph":
      case "Task":
        return { type: "paragraph", children: this.#inlines(cursor) };
      case "FencedCode":
        return this.#code(cursor);
      case "Blockquote": {
        const children = this.blocks(cursor);
        return children.length > 0 ? { type: "quote", children } : this.#verbatim(cursor);
      }
      case "BulletList":
      case "OrderedList":
        return this.#list(cursor);
      case "HorizontalRule":
        return { type: "rule" };
      case "Table":
        return readTable(cursor, this.source, (cell) => this.#cell(cell));
      default:
        if (!cursor.name.startsWith("ATXHeading")) return null;
        return {
          type: "heading",
          level: Number(cursor.name.at(-1)),
          children: this.#inlines(cursor),
        };
    }
  }

  #list(cursor: TreeCursor): Block {
    const isOrdered = cursor.name === "OrderedList";
    const start = isOrdered ? Number.parseInt(this.source.slice(cursor.from, cursor.to), 10) : null;
    const items: Block[][] = [];
    if (cursor.firstChild()) {
      do if (cursor.name === "ListItem") items.push(this.blocks(cursor));
      while (cursor.nextSibling());
      cursor.parent();
    }
    // A lone dash is literal text.
    if (items.every((item) => item.length === 0)) return this.#verbatim(cursor);
    return { type: "list", start, items };
  }

  #code(cursor: TreeCursor): Block {
    let language: string | null = null;
    let text = "";
    if (cursor.firstChild()) {
      do {
        const piece = this.source.slice(cursor.from, cursor.to);
        if (cursor.name === "CodeInfo") language = /^[\w+#.-]+/.exec(piece)?.[0] ?? null;
        if (cursor.name === "CodeText") text += piece;
      } while (cursor.nextSibling());
      cursor.parent();
    }
    return { type: "code", language, text };
  }

  #verbatim(cursor: TreeCursor): Block {
    const children: Inline[] = [];
    this.#text(children, this.source.slice(cursor.from, cursor.to));
    return { type: "paragraph", children };
  }

  #cell(cursor: TreeCursor): Inline[] {
    this.#isInCell = true;
    const children = this.#inlines(cursor);
    this.#isInCell = false;
    return children;
  }

  #inlines(cursor: TreeCursor, into: Inline[] = [], styles = 0): Inline[] {
    const { to } = cursor;
    let at = cursor.from;
    if (cursor.firstChild()) {
      do {
        this.#text(into, this.#slice(at, cursor.from));
        at = cursor.to;
        this.#inline(cursor, into, styles);
      } while (cursor.nextSibling());
      cursor.parent();
    }
    this.#text(into, this.#slice(at, to));
    return into;
  }

  #inline(cursor: TreeCursor, into: Inline[], styles: number): void {
    const { name } = cursor;
    const text = this.#slice(cursor.from, cursor.to);
    const style = STYLES[name];
    const kind = NAMES[name];
    if (kind) {
      const bare = kind === "emoji" ? text.slice(1, -1) : text.slice(1);
      into.push({ type: kind, name: bare.toLowerCase(), text });
    } else if (style && styles < MAX_STYLES) {
      into.push({ type: style, children: this.#inlines(cursor, [], styles + 1) });
    } else if (style) this.#inlines(cursor, into, styles + 1);
    else if (name === "BareUrl") into.push(link(text, text));
    else if (name === "AngledUrl") into.push(link(text.slice(1, -1), text.slice(1, -1)));
    else if (name === "Link") into.push(this.#link(cursor, styles));
    else if (name === "LabelImage") this.#text(into, text.slice(2, text.lastIndexOf("](")));
    else if (name === "InlineCode") into.push({ type: "code", text: this.#codeSpan(cursor) });
    else if (name === "Escape") this.#text(into, text.replace(/^\\/, ""));
    else if (name === "TaskMarker") into.push({ type: "task", isDone: text[1] !== " " });
  }

  #link(cursor: TreeCursor, styles: number): Inline {
    const target = cursor.node.getChild("LinkTarget")?.getChild("URL");
    const url = target ? this.#slice(target.from, target.to) : "";
    const children = this.#inlines(cursor, [], styles + 1);
    return children.length > 0 ? { type: "link", url, children } : link(url, url);
  }

  /** The code between the marks on one line, without the spaces that separate it from a backtick. */
  #codeSpan(cursor: TreeCursor): string {
    const text = this.#inlines(cursor)
      .map((inline) => (inline.type === "text" ? inline.text : " "))
      .join("");
    const isPadded = text.startsWith(" ") && text.endsWith(" ") && text.trim() !== "";
    return isPadded ? text.slice(1, -1) : text;
  }

  /** Preserves line breaks, and drops the spaces around them. */
  #text(into: Inline[], text: string): void {
    for (const [i, line] of text.split("\n").entries()) {
      if (i > 0) into.push({ type: "break" });
      const last = into.at(-1);
      const begins = last?.type === "break" || last?.type === "task";
      const visible = begins ? line.trimStart() : line;
      if (visible === "") continue;
      if (last?.type === "text") last.text += visible;
      else into.push({ type: "text", text: visible });
    }
  }
}

function link(url: string, text: string): Inline {
  return { type: "link", url, children: [{ type: "text", text }] };
}

type Cells = (cursor: TreeCursor) => Inline[];

/** Converts a table. Drops cells in excess of the header's, as GitHub does. */
function readTable(cursor: TreeCursor, source: string, readCell: Cells): Block {
  let head: Inline[][] = [];
  let align: Align[] = [];
  const rows: Inline[][][] = [];
  if (cursor.firstChild()) {
    do {
      if (cursor.name === "TableHeader") head = readRow(cursor, readCell);
      else if (cursor.name === "TableRow")
        rows.push(readRow(cursor, readCell).slice(0, head.length));
      else if (cursor.name === "TableDelimiter") {
        align = readAlign(source.slice(cursor.from, cursor.to));
      }
    } while (cursor.nextSibling());
    cursor.parent();
  }
  return { type: "table", align, head, rows };
}

/** The parser has no node for an empty cell, only two adjacent delimiters. */
function readRow(cursor: TreeCursor, readCell: Cells): Inline[][] {
  const cells: Inline[][] = [];
  const { from } = cursor;
  if (!cursor.firstChild()) return cells;
  let cell: Inline[] | null = null;
  do {
    if (cursor.name === "TableCell") cell = readCell(cursor);
    else if (cursor.name === "TableDelimiter" && cursor.from > from) {
      cells.push(cell ?? []);
      cell = null;
    }
  } while (cursor.nextSibling());
  cursor.parent();
  if (cell) cells.push(cell);
  return cells;
}

function readAlign(line: string): Align[] {
  const columns = line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|");
  return columns.map((column) => {
    const marks = column.trim();
    const isRight = marks.endsWith(":");
    if (marks.startsWith(":")) return isRight ? "center" : "left";
    return isRight ? "right" : null;
  });
}
