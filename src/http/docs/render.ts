import type { SyntaxNode } from "@lezer/common";
import { GFM, parser } from "@lezer/markdown";

const markdown = parser.configure([GFM]);

type Heading = { level: number; id: string; text: string };
export type RenderedPage = { html: string; headings: Heading[] };

/** Nodes of the syntax tree that are not rendered. */
const MARKS = /(?:Mark|^TableDelimiter|^LinkLabel|^CodeInfo|^URL|^LinkTitle|^TaskMarker)$/;
const INLINE: Record<string, string> = {
  Emphasis: "em",
  StrongEmphasis: "strong",
  Strikethrough: "del",
};
const BLOCK: Record<string, string> = {
  Paragraph: "p",
  Blockquote: "blockquote",
  BulletList: "ul",
  ListItem: "li",
};

/**
 * Renders a page of the documentation (CommonMark and GFM) as HTML. HTML in the page is dropped, except
 * for images with a light and a dark variant.
 * @param toHref maps a link in the page to its URL
 */
export function renderPage(source: string, toHref: (link: string) => string): RenderedPage {
  const renderer = new PageRenderer(source, toHref);
  const html = renderer.children(markdown.parse(source).topNode);
  return { html, headings: renderer.headings };
}

class PageRenderer {
  readonly headings: Heading[] = [];

  constructor(
    private readonly source: string,
    private readonly toHref: (link: string) => string,
  ) {}

  /** Renders a node's children and the text between them. */
  children(node: SyntaxNode): string {
    let html = "";
    let at = node.from;
    for (let child = node.firstChild; child; child = child.nextSibling) {
      html += escapeHtml(this.source.slice(at, child.from)) + this.render(child);
      at = child.to;
    }
    return html + escapeHtml(this.source.slice(at, node.to));
  }

  render(node: SyntaxNode): string {
    const { name } = node;
    if (MARKS.test(name)) return "";
    const text = () => this.source.slice(node.from, node.to);
    const tag = INLINE[name] ?? BLOCK[name];
    if (tag) return `<${tag}>${this.children(node).trim()}</${tag}>`;
    if (name.startsWith("ATXHeading")) return this.#heading(node, Number(name.slice(-1)));
    if (name === "OrderedList") return this.#ordered(node);
    if (name === "FencedCode") return this.#code(node);
    // Spaces next to the backticks are not part of the code (CommonMark, 6.1).
    if (name === "InlineCode") {
      return `<code>${this.children(node).replace(/^ (.*\S.*) $/s, "$1")}</code>`;
    }
    if (name === "Link") return this.#link(node);
    if (name === "Image") return this.#image(node);
    if (name === "Autolink" || name === "URL") return this.#autolink(text());
    if (name === "Table") return this.#table(node);
    if (name === "Escape") return escapeHtml(text().slice(1));
    if (name === "Entity") return text();
    if (name === "HardBreak") return "<br>";
    if (name === "HorizontalRule") return "<hr>";
    if (/^(?:HTML|Comment|LinkReference)/.test(name)) return "";
    return this.children(node);
  }

  #heading(node: SyntaxNode, level: number): string {
    const inner = this.children(node).trim();
    const text = toText(inner);
    const base = toId(text);
    const sameIds = this.headings.filter(
      ({ id }) => id === base || id.startsWith(`${base}--`),
    ).length;
    const id = sameIds === 0 ? base : `${base}--${sameIds + 1}`;
    this.headings.push({ level, id, text });
    if (level === 1) return `<h1>${inner}</h1>`;
    return `<h${level} id="${id}"><a href="#${id}">${inner}</a></h${level}>`;
  }

  #ordered(node: SyntaxNode): string {
    const mark = node.getChild("ListItem")?.getChild("ListMark");
    const start = Number.parseInt(mark ? this.source.slice(mark.from, mark.to) : "1", 10);
    return `<ol${start === 1 ? "" : ` start="${start}"`}>${this.children(node).trim()}</ol>`;
  }

  #code(node: SyntaxNode): string {
    const parts = node.getChildren("CodeText");
    const text = parts.map(({ from, to }) => this.source.slice(from, to)).join("");
    return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
  }

  #link(node: SyntaxNode): string {
    const url = node.getChild("URL");
    const inner = this.children(node).replace(/^\s+|\s+$/g, "");
    if (!url) return `[${inner}]`;
    const link = this.source.slice(url.from, url.to);
    return `<a href="${escapeHtml(this.toHref(link))}">${inner}</a>`;
  }

  #image(node: SyntaxNode): string {
    const url = node.getChild("URL");
    const src = url ? this.toHref(this.source.slice(url.from, url.to)) : "";
    const alt = toText(this.children(node));
    return `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}" loading="lazy">`;
  }

  #autolink(text: string): string {
    const url = text.replace(/^<|>$/g, "");
    if (!/^https?:\/\//.test(url)) return escapeHtml(text);
    return `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
  }

  #table(node: SyntaxNode): string {
    const row = (line: SyntaxNode, cell: string) => {
      const cells = line
        .getChildren("TableCell")
        .map((node) => `<${cell}>${this.children(node)}</${cell}>`);
      return `<tr>${cells.join("")}</tr>`;
    };
    const header = node.getChild("TableHeader");
    const head = header ? `<thead>${row(header, "th")}</thead>` : "";
    const rows = node.getChildren("TableRow").map((line) => row(line, "td"));
    return `<div class="table" tabindex="0"><table>${head}<tbody>${rows.join("")}</tbody></table></div>`;
  }
}

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export function toText(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .trim();
}

/** The heading id that GitHub generates, so that links work in both places. */
function toId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
