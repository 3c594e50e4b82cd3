import { type Static, type TProperties, type TSchema, Type as t } from "@sinclair/typebox";
import { Id, Nullable, Seq } from "./models.ts";
import { ClearsDraft, ClientId, Content, Emoji, MessageFields } from "./requests.ts";
import type { Scope } from "./scopes.ts";

/** Echoed in the `ack` or `error`. */
const Ref = t.Optional(t.String({ maxLength: 100 }));
const frame = <T extends string, P extends TProperties>(type: T, properties: P) =>
  t.Object({ type: t.Literal(type), ...properties });

type FrameSpec = {
  schema: TSchema;
  /** The scope that a bot's token needs; null for none. */
  scope: Scope | null;
};

/** All frames that a client may send over `/ws/chat`: one JSON object each, distinguished by `type`. */
export const FRAMES = {
  join: {
    scope: "read:messages",
    schema: frame("join", { room_id: Id, seq: t.Optional(Seq) }),
  },
  leave: { scope: null, schema: frame("leave", { room_id: Id }) },
  message: {
    scope: "write:messages",
    schema: frame("message", {
      room_id: Id,
      ...MessageFields,
      clears_draft: ClearsDraft,
      client_id: ClientId,
    }),
  },
  edit: {
    scope: "write:messages",
    schema: frame("edit", { message_id: Id, content: Nullable(Content), ref: Ref }),
  },
  delete: { scope: "write:messages", schema: frame("delete", { message_id: Id, ref: Ref }) },
  react: {
    scope: "write:messages",
    schema: frame("react", { message_id: Id, emoji: Emoji, ref: Ref }),
  },
  typing: { scope: null, schema: frame("typing", { room_id: Id }) },
  ping: { scope: null, schema: frame("ping", {}) },
} as const satisfies Record<string, FrameSpec>;

export type FrameType = keyof typeof FRAMES;
export type Frame = { [T in FrameType]: Static<(typeof FRAMES)[T]["schema"]> }[FrameType];
