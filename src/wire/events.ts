import { type Static, type TProperties, Type as t } from "@sinclair/typebox";
import type { Code } from "./codes.ts";
import {
  Id,
  LinkPreview,
  Me,
  Message,
  MyRoom,
  Nullable,
  Reaction,
  ReadMark,
  Room,
  Timestamp,
} from "./models.ts";

/**
 * What the service sends over `/ws/chat`. `RoomEvent`s are a room's log: each takes the room's next
 * number (`seq`), in commit order, on all instances together. `unread` carries the number of its
 * message. Other events name a number in the log as `room_seq`.
 */

const type = <T extends string>(...names: T[]) => t.Union(names.map((name) => t.Literal(name)));
const seq = t.Integer({ minimum: 0, description: "Counts the events of one room, without gaps" });
const logged = <P extends TProperties>(properties: P) =>
  t.Object({ ...properties, room_id: Id, seq });

/** Events that stand in a room's log, in the form that all in the room's channel receive. */
export const RoomEvent = t.Union([
  logged({ type: type("message", "message_update"), message: Message }),
  logged({ type: t.Literal("message_delete"), message_id: Id }),
  logged({ type: t.Literal("reaction"), message_id: Id, reactions: t.Array(Reaction) }),
  logged({ type: t.Literal("link_preview"), message_id: Id, preview: Nullable(LinkPreview) }),
  logged({ type: t.Literal("room_updated"), room: Room }),
  logged({ type: type("member_added", "member_removed"), user_id: Id }),
]);

/** Complete by its type: each type of the log is in it. */
const DESCRIBED: Record<RoomEventType, true> = {
  message: true,
  message_update: true,
  message_delete: true,
  reaction: true,
  link_preview: true,
  room_updated: true,
  member_added: true,
  member_removed: true,
};

/** What a client may meet beside them while a service is brought up to a newer version. */
export const NewerEvent = logged({
  type: t.String({
    pattern: `^(?!(?:${Object.keys(DESCRIBED).join("|")})$)[a-z_]+$`,
    description: "A type that is not described here: it moves the number and changes nothing",
  }),
});

/** Signals to a room that leave no trace: missing one costs a refetch, never a message. */
export const RoomSignal = t.Union([
  t.Object({ type: t.Literal("typing"), room_id: Id, user_id: Id }),
  t.Object({
    type: t.Literal("member_updated"),
    room_id: Id,
    user_ids: Nullable(t.Array(Id, { description: "null where more than 100 changed" })),
  }),
]);

/** What concerns one person, sent to all of that person's sockets. */
export const UserEvent = t.Union([
  t.Object({ type: t.Literal("room_added"), room: MyRoom }),
  t.Object({
    type: t.Literal("room_removed"),
    room_id: Id,
    room_seq: Nullable(
      t.Integer({
        description: "The number of the removal; null where it is not known, or the room deleted",
      }),
    ),
  }),
  t.Composite([t.Object({ type: t.Literal("read"), room_id: Id }), ReadMark]),
  t.Object({
    type: t.Literal("membership_updated"),
    room: MyRoom,
  }),
  t.Object({ type: t.Literal("me_updated"), user: Me }),
]);

/** To members' sockets that do not have the room open, once for each message. */
export const UnreadEvent = t.Object({
  type: t.Literal("unread"),
  room_id: Id,
  message_id: Id,
  author_id: Nullable(
    t.String({
      description: "One's own message is not news on one's other screens; null for a webhook's",
    }),
  ),
  created_at: Timestamp,
  seq,
  mention: t.Boolean({ description: "It mentions the one who hears this, who did not write it" }),
});

/**
 * To members' sockets that do not have the room open: a message was edited or deleted, which may
 * change what is unread. They also hear `room_updated`, `member_added` and `member_removed`.
 */
export const UnreadChangedEvent = t.Object({
  type: t.Literal("unread_changed"),
  room_id: Id,
  room_seq: t.Integer({ minimum: 0, description: "The number of the edit or deletion" }),
  message_id: Id,
  is_deleted: t.Boolean(),
});

/** Answers to one socket's frames. */
export const Answer = t.Union([
  t.Object({
    type: t.Literal("hello"),
    user_id: Id,
    instance: Id,
    server_time: Timestamp,
  }),
  t.Object({ type: t.Literal("joined"), room_id: Id, seq }),
  t.Object({ type: t.Literal("resync"), room_id: Id }),
  t.Object({ type: t.Literal("left"), room_id: Id }),
  t.Object({ type: t.Literal("ack"), client_id: t.String(), message: Message }),
  t.Object({ type: t.Literal("ack"), ref: Nullable(t.String()) }),
  t.Object({ type: t.Literal("pong") }),
  t.Object({
    type: t.Literal("error"),
    code: t.Unsafe<Code>(t.String({ description: "The codes that REST uses" })),
    detail: t.String(),
    ref: t.Optional(t.String()),
    client_id: t.Optional(t.String()),
    room_id: t.Optional({
      ...Id,
      description: "The room that a refused `join`, `leave`, `message` or `typing` names",
    }),
  }),
]);

export type RoomEvent = Static<typeof RoomEvent>;
export type RoomSignal = Static<typeof RoomSignal>;
export type UserEvent = Static<typeof UserEvent>;
export type UnreadEvent = Static<typeof UnreadEvent>;
export type Answer = Static<typeof Answer>;
export type UnreadChangedEvent = Static<typeof UnreadChangedEvent>;
export type ServerEvent =
  RoomEvent | RoomSignal | UserEvent | UnreadEvent | UnreadChangedEvent | Answer;
export type RoomEventType = RoomEvent["type"];
