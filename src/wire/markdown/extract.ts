import { RESERVED_USERNAMES } from "../limits.ts";
import type { Broadcast } from "../models.ts";
import { parseMarkdown } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";

type References = {
  /** Unique and in lower case, like `rooms`; without `@room` and `@here`. */
  usernames: string[];
  rooms: string[];
  /** The first http(s) URL. */
  url: string | null;
  /** `@room` if the text contains both `@room` and `@here`. */
  broadcast: Broadcast | null;
};

const NONE: References = { usernames: [], rooms: [], url: null, broadcast: null };
/** Characters without which a text need not be parsed. */
const SIGNS = /[@#]|https?:\/\//i;

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
      if (block.type === "paragraph" || block.type === "heading") visit(block.children);
      else if (block.type === "quote") visitBlocks(block.children);
      else if (block.type === "list") block.items.forEach(visitBlocks);
      else if (block.type === "table") [block.head, ...block.rows].flat().forEach(visit);
    }
  };
  visitBlocks(parseMarkdown(content));
  const broadcast = (["room", "here"] as const).find((name) => usernames.has(name)) ?? null;
  for (const name of RESERVED_USERNAMES) usernames.delete(name);
  return { usernames: [...usernames], rooms: [...rooms], url, broadcast };
}
