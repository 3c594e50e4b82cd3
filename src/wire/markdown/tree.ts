/**
 * A parsed message: blocks that contain inline nodes. Plain data, independent of the parser. The
 * renderer resolves mentions, rooms and emoji names, and shows their `text` if they do not exist.
 */
export type Block =
  | { type: "paragraph"; children: Inline[] }
  | { type: "code"; language: string | null; text: string }
  | { type: "quote"; children: Block[] }
  /** `start` is the first number; null for a bulleted list. */
  | { type: "list"; start: number | null; items: Block[][] }
  | { type: "heading"; level: number; children: Inline[] }
  | { type: "rule" }
  /** Rows may have fewer cells than the header. `align` has an entry for each column of the header. */
  | { type: "table"; align: Align[]; head: Inline[][]; rows: Inline[][][] };

export type Align = "left" | "center" | "right" | null;

export type Inline =
  | { type: "text"; text: string }
  | { type: "break" }
  /** The checkbox of a task list item. */
  | { type: "task"; isDone: boolean }
  | { type: "strong" | "em" | "strike"; children: Inline[] }
  | { type: "code"; text: string }
  /** `url` starts with http:, https: or mailto:. `children` contain styles, but no links. */
  | { type: "link"; url: string; children: Inline[] }
  /** `name` is folded to lower case; `text` is the original including its @, # or colons. */
  | { type: "mention" | "room" | "emoji"; name: string; text: string };
