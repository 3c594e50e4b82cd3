import { parseMarkdown } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";

/** The usernames and rooms in a text, once each and in lower case, and its first http(s) URL. */
export type References = { usernames: string[]; rooms: string[]; url: string | null };

const NONE: References = { usernames: [], rooms: [], url: null };
/** Most texts have none of these, and need not be parsed. */
const SIGNS = /[@#]|https?:\/\//i;

/** Extracts what a text refers to, outside of code. */
export function extractReferences(content: string | null): References {
  if (content === null || !SIGNS.test(content)) return NONE;
  const usernames = new Set<string>();
  const rooms = new Set<string>();
  let url: string | null = null;
  const visit = (inlines: Inline[]): void => {
    for (const inline of inlines) {
      if (inline.type === "mention") usernames.add(inline.name);
      else if (inline.type === "room") rooms.add(inline.name);
      else if (inline.type === "link" && !/^mailto:/i.test(inline.url)) url ??= inline.url;
      if ("children" in inline) visit(inline.children);
    }
  };
  const visitBlocks = (blocks: Block[]): void => {
    for (const block of blocks) {
      if (block.type === "paragraph") visit(block.children);
      else if (block.type === "quote") visitBlocks(block.children);
      else if (block.type === "list") block.items.forEach(visitBlocks);
    }
  };
  visitBlocks(parseMarkdown(content));
  return { usernames: [...usernames], rooms: [...rooms], url };
}
