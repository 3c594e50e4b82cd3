import { parseMarkdown } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";

/** A text without its marks, on one line, for notifications. */
export function toPlainText(source: string): string {
  return parseMarkdown(source).map(ofBlock).join(" ").replace(/\s+/g, " ").trim();
}

function ofBlock(block: Block): string {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return block.children.map(ofInline).join("");
    case "code":
      return block.text;
    case "quote":
      return `“${block.children.map(ofBlock).join(" ")}”`;
    case "list":
      return block.items.map((item) => item.map(ofBlock).join(" ")).join(", ");
    case "table":
      return [block.head, ...block.rows].map(ofRow).join("; ");
    case "rule":
      return "";
  }
}

function ofRow(cells: Inline[][]): string {
  return cells.map((cell) => cell.map(ofInline).join("")).join(", ");
}

function ofInline(inline: Inline): string {
  if (inline.type === "break") return " ";
  if (inline.type === "task") return inline.isDone ? "☑ " : "☐ ";
  return "children" in inline ? inline.children.map(ofInline).join("") : inline.text;
}
