import { parseMarkdown } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";

/** The usernames and rooms that a text names, once each and in lower case, and its first http(s) URL. */
export type Named = { usernames: string[]; rooms: string[]; url: string | null };

const NOTHING: Named = { usernames: [], rooms: [], url: null };
/** A text without any of these names nothing, and most texts have none. */
const SIGNS = /[@#]|https?:\/\//i;

/** Finds what a text names, outside of code. */
export function extractReferences(content: string | null): Named {
  if (content === null || !SIGNS.test(content)) return NOTHING;
  const usernames = new Set<string>();
  const rooms = new Set<string>();
  let url: string | null = null;
  const look = (inlines: Inline[]): void => {
    for (const inline of inlines) {
      if (inline.type === "mention") usernames.add(inline.name);
      else if (inline.type === "room") rooms.add(inline.name);
      else if (inline.type === "link" && !/^mailto:/i.test(inline.url)) url ??= inline.url;
      if ("children" in inline) look(inline.children);
    }
  };
  const lookIn = (blocks: Block[]): void => {
    for (const block of blocks) {
      if (block.type === "paragraph") look(block.children);
      else if (block.type === "quote") lookIn(block.children);
      else if (block.type === "list") block.items.forEach(lookIn);
    }
  };
  lookIn(parseMarkdown(content));
  return { usernames: [...usernames], rooms: [...rooms], url };
}
