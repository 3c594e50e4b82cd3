import { type Static, Type as t } from "@sinclair/typebox";
import { Id, Nullable } from "../models.ts";
import { ClientId, Content, ImageAlt } from "./fields.ts";

/** Messages, and what they carry. */

/** Whether the service stores a draft with the message's `client_id`, which the message then clears. */
export const ClearsDraft = t.Optional(
  t.Boolean({ description: "Clears the caller's draft that was saved with the same `client_id`" }),
);

/** What a post over REST and over the socket carry alike. */
export const MessageParts = {
  content: t.Optional(Nullable(Content)),
  image_id: t.Optional(Nullable(Id)),
  image_alt: t.Optional(
    Nullable({ ...ImageAlt, description: "What the image shows, for those who cannot see it" }),
  ),
  file_id: t.Optional(Nullable(Id)),
  group_id: t.Optional(
    Nullable({
      ...Id,
      description: "The same for messages of one sending: clients show one gallery",
    }),
  ),
  thread_id: t.Optional(
    Nullable({ ...Id, description: "It is a reply to this message, or to the root of this reply" }),
  ),
  quote_id: t.Optional(Nullable({ ...Id, description: "A message of the same room" })),
};
export const PostMessage = t.Object({
  ...MessageParts,
  clears_draft: ClearsDraft,
  client_id: t.Optional(Nullable(ClientId)),
});
export const EditMessage = t.Object({ content: Nullable(Content) });

/** One Unicode emoji sequence (RGI, UTS 51); the longest have some 20 UTF-16 units. */
export const Emoji = t.String({ minLength: 1, maxLength: 64, expected: "one emoji" });
export const React = t.Object({ emoji: Emoji });

export type PostMessage = Static<typeof PostMessage>;
