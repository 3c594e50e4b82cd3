import { parseMarkdown } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";

/** A text without its marks, on one line, for notifications. */
export function toPlainText(source: string): string {
  return parseMarkdown(source).map(ofBlock).join(" ").replace(/\s+/g, " ").trim();
}

function ofBlock(block: Block): string {
  if (block.type === "paragraph") return block.children.map(ofInline).join("");
  if (block.type === "code") return block.text;
  if (block.type === "quote") return `“${block.children.map(ofBlock).join(" ")}”`;
  return block.items.map((item) => item.map(ofBlock).join(" ")).join(", ");
}

function ofInline(inline: Inline): string {
  if (inline.type === "break") return " ";
  return "children" in inline ? inline.children.map(ofInline).join("") : inline.text;
}
