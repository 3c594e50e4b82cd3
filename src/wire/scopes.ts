import type { FrameType } from "./frames.ts";

/** What an API token can allow. `manage:rooms` is kept with a token and asked for nowhere yet. */
export const SCOPES = ["read:messages", "write:messages", "manage:rooms"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a bot's token must allow for each frame; null: any token may send it. */
export const FRAME_SCOPES: Record<FrameType, Scope | null> = {
  join: "read:messages",
  leave: null,
  message: "write:messages",
  edit: "write:messages",
  delete: "write:messages",
  react: "write:messages",
  typing: null,
  ping: null,
};
