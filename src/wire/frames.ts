import { type Static, Type as t } from "@sinclair/typebox";
import { Id, Nullable, Seq } from "./models.ts";
import { ClientId, Content, Emoji } from "./requests.ts";

/** What a client may send over `/ws/chat`: one JSON object a frame, told apart by `type`. */

/** The caller's own word, given back in the `ack` or `error`. */
const Ref = t.Optional(t.String({ maxLength: 100 }));

export const FRAMES = {
  join: t.Object({
    type: t.Literal("join"),
    room_id: Id,
    seq: t.Optional(Seq),
  }),
  leave: t.Object({ type: t.Literal("leave"), room_id: Id }),
  message: t.Object({
    type: t.Literal("message"),
    room_id: Id,
    content: t.Optional(Nullable(Content)),
    image_id: t.Optional(Nullable(Id)),
    file_id: t.Optional(Nullable(Id)),
    client_id: ClientId,
  }),
  edit: t.Object({
    type: t.Literal("edit"),
    message_id: Id,
    content: Nullable(Content),
    ref: Ref,
  }),
  delete: t.Object({ type: t.Literal("delete"), message_id: Id, ref: Ref }),
  react: t.Object({ type: t.Literal("react"), message_id: Id, emoji: Emoji, ref: Ref }),
  typing: t.Object({ type: t.Literal("typing"), room_id: Id }),
  ping: t.Object({ type: t.Literal("ping") }),
} as const;

export type FrameType = keyof typeof FRAMES;
export type Frame = { [K in FrameType]: Static<(typeof FRAMES)[K]> }[FrameType];
