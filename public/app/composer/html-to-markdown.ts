import TurndownService from "turndown";
import { parseMarkdown } from "../../../src/wire/markdown/parse.ts";

/** Escapes characters that would format pasted text. A name such as `a_b` stays unchanged. */
const STYLING = /\\|[`*]|~~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\[(?=[^\]\n]{0,500}\]\()/gu;
const BLOCK_STYLING = /^(\s*)(#{1,6} |> ?|[-+] |\d{1,9}[.)] )/;

const service = new TurndownService({
  headingStyle: "atx",
  bulletListMarker: "-",
  codeBlockStyle: "fenced",
  // Underscores cannot style part of a word, or a word in a text without spaces.
  emDelimiter: "*",
  hr: "---",
});
service.escape = (text) =>
  text
    .replace(STYLING, (sign) => (sign === "~~" ? "\\~\\~" : `\\${sign}`))
    .replace(BLOCK_STYLING, (whole, indent: string) => `${indent}\\${whole.slice(indent.length)}`);
service.remove(["script", "style", "title", "noscript"]);
service.addRule("strike", {
  filter: ["s", "del"],
  replacement: (content) => (content.trim() ? `~~${content}~~` : content),
});
// Google Docs puts everything into a <b> without weight.
service.addRule("not bold", {
  filter: (node) =>
    node.nodeName === "B" && /font-weight:\s*(?:normal|[1-4]00)/.test(styleOf(node)),
  replacement: (content) => content,
});
service.addRule("styled", {
  filter: (node) =>
    node.nodeName === "SPAN" && /font-weight:\s*(?:bold|[6-9]00)/.test(styleOf(node)),
  replacement: (content) => (content.trim() ? `**${content}**` : content),
});
// An image is not copied with the text, but its description is.
service.addRule("picture", {
  filter: "img",
  replacement: (_, node) => (node as Element).getAttribute("alt") ?? "",
});
service.addRule("link", {
  filter: (node) => node.nodeName === "A" && node.getAttribute("href") !== null,
  replacement(content, node) {
    const url = (node as Element).getAttribute("href") ?? "";
    if (!/^(?:https?:|mailto:)/i.test(url)) return content;
    const label = content.trim().replace(/\s+/g, " ");
    if (label === "" || label === url) return isBareUrl(url) ? url : `<${url}>`;
    return `[${label}](${url.replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"))})`;
  },
});
service.addRule("task", {
  filter: (node) => node.nodeName === "INPUT" && node.getAttribute("type") === "checkbox",
  replacement: (_, node) => ((node as Element).hasAttribute("checked") ? "[x] " : "[ ] "),
});
service.addRule("item", {
  filter: "li",
  replacement(content, node, options) {
    const parent = node.parentNode as Element | null;
    const number = parent ? [...parent.children].indexOf(node as Element) : 0;
    const first = Number(parent?.getAttribute("start") ?? 1);
    const mark = parent?.nodeName === "OL" ? `${first + number}. ` : `${options.bulletListMarker} `;
    const text = content
      .trim()
      .replace(/\n{2,}/g, "\n")
      .replace(/\n/g, `\n${" ".repeat(mark.length)}`);
    return `${mark}${text}\n`;
  },
});
service.addRule("cell", {
  filter: ["th", "td"],
  replacement: (content) => ` ${content.trim().replace(/\s+/g, " ").replaceAll("|", "\\|")} |`,
});
service.addRule("row", {
  filter: "tr",
  replacement(content, node) {
    const row = node as HTMLTableRowElement;
    const isFirst = row.closest("table")?.querySelector("tr") === row;
    const line = `|${content.replaceAll("\n", "")}\n`;
    return isFirst ? `${line}|${" --- |".repeat(row.cells.length)}\n` : line;
  },
});
service.addRule("table", {
  filter: "table",
  replacement: (content) => `\n\n${content.trim()}\n\n`,
});
service.addRule("rows", {
  filter: ["thead", "tbody", "tfoot"],
  replacement: (content) => content,
});

/** Whether a whole URL is recognized as a link without brackets. */
function isBareUrl(url: string): boolean {
  const [block] = parseMarkdown(url);
  const only = block?.type === "paragraph" && block.children.length === 1 && block.children[0];
  return only !== false && only?.type === "link" && only.url === url;
}

function styleOf(node: Node): string {
  return (node as Element).getAttribute(STYLE) ?? "";
}

/** The attribute is renamed, since our policy refuses inline styles and reports each in the console. */
const STYLE = "data-style";
const TAG = /<[a-z][^<>]*>/gi;
const STYLE_SHEET = /<style(?:(?!<style)[\s\S])*?<\/style>/gi;

/** Converts copied HTML to the Markdown of messages. Scripts in it do not run, and nothing is loaded. */
export function htmlToMarkdown(html: string): string {
  const unstyled = html
    .replace(STYLE_SHEET, "")
    .replace(TAG, (tag) => tag.replace(/\sstyle\s*=/gi, ` ${STYLE}=`));
  const page = new DOMParser().parseFromString(unstyled, "text/html");
  return service
    .turndown(page.body)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
