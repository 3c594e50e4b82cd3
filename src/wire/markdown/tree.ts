/**
 * A parsed text: blocks that contain inlines. Plain data, independent of the parser. The renderer
 * decides what a mention, a room or an emoji name leads to, and renders its `text` if it leads nowhere.
 */
export type Block =
  | { type: "paragraph"; children: Inline[] }
  | { type: "code"; language: string | null; text: string }
  | { type: "quote"; children: Block[] }
  /** `start` is the first number, null for bullets. */
  | { type: "list"; start: number | null; items: Block[][] };

export type Inline =
  | { type: "text"; text: string }
  | { type: "break" }
  | { type: "strong" | "em" | "strike"; children: Inline[] }
  | { type: "code"; text: string }
  /** `url` begins with http:, https: or mailto:. Its text has styles only. */
  | { type: "link"; url: string; children: Inline[] }
  /** `name` is folded to lower case; `text` is as written, with its sign. */
  | { type: "mention" | "room" | "emoji"; name: string; text: string };
