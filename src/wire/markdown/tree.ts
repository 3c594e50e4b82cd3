/**
 * A parsed text: blocks that contain inlines. Plain data, independent of the parser. The renderer
 * decides what a mention, a room or an emoji name leads to, and renders its `text` if it leads nowhere.
 */
export type Block =
  | { type: "paragraph"; children: Inline[] }
  | { type: "code"; language: string | null; text: string }
  | { type: "quote"; children: Block[] }
  /** `start` is the first number, null for bullets. */
  | { type: "list"; start: number | null; items: Block[][] }
  | { type: "heading"; level: number; children: Inline[] }
  | { type: "rule" }
  /** Rows may have fewer cells than the head. `align` has an entry for each column of the head. */
  | { type: "table"; align: Align[]; head: Inline[][]; rows: Inline[][][] };

export type Align = "left" | "center" | "right" | null;

export type Inline =
  | { type: "text"; text: string }
  | { type: "break" }
  /** The box before the text of a task, in an item of a list. */
  | { type: "task"; isDone: boolean }
  | { type: "strong" | "em" | "strike"; children: Inline[] }
  | { type: "code"; text: string }
  /** `url` begins with http:, https: or mailto:. Its text has styles only. */
  | { type: "link"; url: string; children: Inline[] }
  /** `name` is folded to lower case; `text` is as written, with its sign. */
  | { type: "mention" | "room" | "emoji"; name: string; text: string };
