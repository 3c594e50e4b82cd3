import { type Static, Type as t } from "@sinclair/typebox";
import { Id, Message, Room, Timestamp, User, oneOf } from "./models.ts";
import { PageQuery } from "./queries.ts";
import { Time } from "./requests.ts";

export const ActivityType = oneOf(["mention", "reaction", "reply"]);

/** A mention of the caller, or reactions or replies to one of the caller's messages. */
export const Activity = t.Object({
  type: ActivityType,
  at: t.String({
    ...Timestamp,
    description: "When it was sent, or when the newest reaction or reply came",
  }),
  is_unread: t.Boolean({
    description:
      "Newer than the mark of the list; a mention also newer than that of its room, and a reply than that of its thread",
  }),
  room: t.Pick(Room, ["id", "name"]),
  message: { ...Message, description: "The mention, what was reacted to, or the newest reply" },
  users: t.Array(User, { description: "The author, or who reacted last, at most three" }),
  user_count: t.Integer({
    description:
      "How many reacted or replied, the listed ones included; of those who replied at most five",
  }),
  emojis: t.Array(t.String(), { description: "The reactions of others, in the message's order" }),
});

export const UnreadActivity = t.Object({
  read_at: t.String({ ...Timestamp, description: "The mark: up to where the list was seen" }),
  mentions: t.Array(
    t.Object({
      room_id: Id,
      count: t.Integer(),
      seq: t.Integer({ description: "The number of the newest one in the room's log" }),
    }),
    { description: "Unread mentions by room, at most 100 each; muted rooms are left out" },
  ),
  reactions: t.Integer({ description: "Messages with a new reaction, at most 100" }),
});

export const ActivityQuery = t.Composite([
  PageQuery,
  t.Object({ type: t.Optional({ ...ActivityType, description: "Only entries of this type" }) }),
]);

export const MarkActivityRead = t.Object({
  at: t.String({ ...Time, description: "The `at` of the newest item that was seen" }),
});

export type ActivityType = Static<typeof ActivityType>;
export type Activity = Static<typeof Activity>;
export type ActivityQuery = Static<typeof ActivityQuery>;
export type UnreadActivity = Static<typeof UnreadActivity>;
