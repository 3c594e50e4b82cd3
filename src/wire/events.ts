import { type Static, type TProperties, type TSchema, Type as t } from "@sinclair/typebox";
import {
  Direct,
  Id,
  LinkPreview,
  Me,
  Member,
  Message,
  MyRoom,
  NewestPin,
  Nullable,
  Pinned,
  Reaction,
  ReadMark,
  Room,
  RoomKind,
  Team,
  Thread,
  Timestamp,
  User,
  Version,
} from "./models.ts";
import { UnreadActivity } from "./activity.ts";
import type { Code } from "./codes.ts";
import { DraftCopy } from "./drafts.ts";
import { Saved } from "./saved-messages.ts";
import { Scheduled } from "./scheduled-messages.ts";
import { ThreadFollow, ThreadMark } from "./threads.ts";

/**
 * The recipients of an event over `/ws/chat`:
 * - `room-log`: sockets that have the room open. The event is a row of the room's log with the next
 *   number (`seq`), in commit order across all instances. It is replayed to sockets that missed it.
 * - `room`: the same sockets, but the event is not stored. Missing one requires a refetch, but never
 *   loses a message.
 * - `away`: members' sockets that do not have the room open.
 * - `user`: all sockets of one user.
 * - `socket`: one socket, in response to its frame.
 */
export type Audience = "room-log" | "room" | "away" | "user" | "socket";

type EventSpec = {
  audience: Audience;
  schema: TSchema;
  /** For a logged event: whether members who do not have the room open receive it too. */
  isAlsoAway?: true;
  /** For a logged event: its name in outgoing webhooks, which do not send events without a name. */
  webhook?: string;
};

export const seq = t.Integer({
  minimum: 0,
  description: "Counts the events of one room, without gaps",
});

/** For clients that never received the deleted message. */
const whenWritten = {
  created_at: t.Optional({
    ...Timestamp,
    description: "When the message was written, if it was deleted before it was sent to anyone",
  }),
};

export const event = <T extends string, P extends TProperties>(type: T, properties: P) =>
  t.Object({ type: t.Literal(type), ...properties });

export const roomLogEvent = <T extends string, P extends TProperties>(type: T, properties: P) =>
  t.Object({ type: t.Literal(type), ...properties, room_id: Id, seq });

const ActorId = Nullable(
  t.String({ description: "Who did it; null for the service and the command line" }),
);

const ROOM_EVENTS = {
  message: {
    audience: "room-log",
    webhook: "message.created",
    schema: roomLogEvent("message", {
      message: Message,
      root_thread: t.Optional(
        Nullable({ ...Thread, description: "Of a reply: the thread, with at least this reply" }),
      ),
    }),
  },
  message_update: {
    audience: "room-log",
    webhook: "message.updated",
    schema: roomLogEvent("message_update", { message: Message }),
  },
  message_delete: {
    audience: "room-log",
    webhook: "message.deleted",
    schema: roomLogEvent("message_delete", { message_id: Id, ...whenWritten }),
  },
  reaction: {
    audience: "room-log",
    webhook: "reaction.changed",
    schema: roomLogEvent("reaction", { message_id: Id, reactions: t.Array(Reaction) }),
  },
  link_preview: {
    audience: "room-log",
    schema: roomLogEvent("link_preview", { message_id: Id, preview: Nullable(LinkPreview) }),
  },
  /** A message was pinned or unpinned, or a pinned one was edited or deleted. */
  pin: {
    audience: "room-log",
    isAlsoAway: true,
    schema: roomLogEvent("pin", {
      message_id: Id,
      pinned: Nullable(Pinned),
      pin_count: t.Integer(),
      newest_pin: Nullable(NewestPin),
    }),
  },
  /**
   * A thread's title or state has changed, or one of its replies was deleted; null if no replies
   * are left.
   */
  thread: {
    audience: "room-log",
    isAlsoAway: true,
    schema: roomLogEvent("thread", { message_id: Id, thread: Nullable(Thread) }),
  },
  room_updated: {
    audience: "room-log",
    isAlsoAway: true,
    webhook: "room.updated",
    schema: roomLogEvent("room_updated", { room: Room }),
  },
  member_added: {
    audience: "room-log",
    isAlsoAway: true,
    webhook: "member.added",
    schema: roomLogEvent("member_added", { user_id: Id, actor_id: ActorId }),
  },
  member_removed: {
    audience: "room-log",
    isAlsoAway: true,
    webhook: "member.removed",
    schema: roomLogEvent("member_removed", { user_id: Id, actor_id: ActorId }),
  },

  typing: { audience: "room", schema: event("typing", { room_id: Id, user_id: Id }) },
  member_updated: {
    audience: "room",
    schema: event("member_updated", {
      room_id: Id,
      user_ids: Nullable(t.Array(Id, { description: "null where more than 100 changed" })),
      members: Nullable(
        t.Array(Member, {
          description:
            "Those who changed and are members, as they are now; null where more than 500 changed",
        }),
      ),
      former_members: t.Optional(
        t.Array(User, {
          description: "Those who changed and are not members, but may have written there",
        }),
      ),
    }),
  },
} as const satisfies Record<string, EventSpec>;

/** Events for one user, independent of open rooms: unread messages, and the user's own data. */
const USER_EVENTS = {
  /** Sent once for each message. */
  unread: {
    audience: "away",
    schema: event("unread", {
      kind: RoomKind,
      room_id: Id,
      message_id: Id,
      author_id: Nullable(
        t.String({
          description: "The author's other screens ignore their own message; null for a webhook's",
        }),
      ),
      created_at: Timestamp,
      seq,
      mention: t.Boolean({
        description:
          "It mentions the recipient, who is not its author, or is in a conversation with them",
      }),
      thread_id: Nullable({ ...Id, description: "Of a reply: the root of its thread" }),
    }),
  },
  /** A message was edited or deleted, which may change what is unread. */
  unread_changed: {
    audience: "away",
    schema: event("unread_changed", {
      kind: RoomKind,
      room_id: Id,
      room_seq: t.Integer({ minimum: 0, description: "The number of the edit or deletion" }),
      message_id: Id,
      is_deleted: t.Boolean(),
      ...whenWritten,
    }),
  },

  direct_added: { audience: "user", schema: event("direct_added", { direct: Direct }) },
  /** The conversation or the recipient's membership has changed. */
  direct_updated: { audience: "user", schema: event("direct_updated", { direct: Direct }) },
  room_added: { audience: "user", schema: event("room_added", { room: MyRoom }) },
  room_removed: {
    audience: "user",
    schema: event("room_removed", {
      room_id: Id,
      room_seq: Nullable(
        t.Integer({
          description: "The number of the removal; null if it is unknown or the room was deleted",
        }),
      ),
    }),
  },
  read: { audience: "user", schema: event("read", { room_id: Id, ...ReadMark.properties }) },
  /**
   * The user has read a thread on another screen, or marked it as unread. Replying also marks the
   * thread as read, but without this event: clients infer that from `message` and `unread`, unless
   * `replied_seq` shows that the mark includes the reply.
   */
  thread_read: {
    audience: "user",
    schema: event("thread_read", { thread_id: Id, ...ThreadMark.properties }),
  },
  /**
   * The user now follows a thread (possibly by replying or being mentioned), or no longer does.
   * Clients only move their read mark forward.
   */
  thread_follow: {
    audience: "user",
    schema: event("thread_follow", { thread_id: Id, ...ThreadFollow.properties }),
  },
  membership_updated: { audience: "user", schema: event("membership_updated", { room: MyRoom }) },
  /** Someone reacted to a message of the user, or the user has read the activity on another screen. */
  activity_updated: {
    audience: "user",
    schema: event("activity_updated", { unread: UnreadActivity }),
  },
  team_updated: { audience: "user", schema: event("team_updated", { team: Team }) },
  /** The user saved a message, or changed or completed it; null if it is no longer saved. */
  saved: { audience: "user", schema: event("saved", { message_id: Id, saved: Nullable(Saved) }) },
  /** Null if the author has deleted it or its room was deleted. */
  scheduled: {
    audience: "user",
    schema: event("scheduled", { id: t.String(), scheduled: Nullable(Scheduled) }),
  },
  scheduled_failed: {
    audience: "user",
    schema: event("scheduled_failed", { id: t.String(), code: t.Unsafe<Code>(t.String()) }),
  },
  /** A cleared draft has no content; version 0 means that the room was deleted. */
  draft: { audience: "user", schema: event("draft", DraftCopy.properties) },
  me_updated: { audience: "user", schema: event("me_updated", { user: Me }) },
  sections_updated: { audience: "user", schema: event("sections_updated", { version: Version }) },
} as const satisfies Record<string, EventSpec>;

const SOCKET_EVENTS = {
  /** Sent first. Sent again to people once notifications may have been lost: load everything again. */
  hello: {
    audience: "socket",
    schema: event("hello", { user_id: Id, instance: Id, server_time: Timestamp }),
  },
  joined: { audience: "socket", schema: event("joined", { room_id: Id, seq }) },
  resync: { audience: "socket", schema: event("resync", { room_id: Id }) },
  left: { audience: "socket", schema: event("left", { room_id: Id }) },
  ack: {
    audience: "socket",
    schema: t.Union([
      event("ack", { client_id: t.String(), message: Message }),
      event("ack", { ref: Nullable(t.String()) }),
    ]),
  },
  pong: { audience: "socket", schema: event("pong", {}) },
  error: {
    audience: "socket",
    schema: event("error", {
      code: t.Unsafe<Code>(t.String({ description: "The same codes as in REST" })),
      detail: t.String(),
      ref: t.Optional(t.String()),
      client_id: t.Optional(t.String()),
      room_id: t.Optional({
        ...Id,
        description: "The room that a refused `join`, `leave`, `message` or `typing` names",
      }),
    }),
  },
} as const satisfies Record<string, EventSpec>;

/** All events, each declared once. Unions, webhooks and the client's types are derived from this record. */
export const EVENTS = { ...ROOM_EVENTS, ...USER_EVENTS, ...SOCKET_EVENTS };

type Events = typeof EVENTS;
type EventType = keyof Events;
type TypeFor<A extends Audience> = {
  [T in EventType]: Events[T]["audience"] extends A ? T : never;
}[EventType];
type EventOf<T extends EventType> = T extends EventType ? Static<Events[T]["schema"]> : never;

function eventFor<A extends Audience>(audience: A) {
  const specs: EventSpec[] = Object.values(EVENTS);
  const schemas = specs.flatMap((spec) =>
    spec.audience === audience ? ((spec.schema.anyOf as TSchema[] | undefined) ?? spec.schema) : [],
  );
  return t.Unsafe<EventOf<TypeFor<A>>>(t.Union(schemas));
}

export const RoomEvent = eventFor("room-log");
export const RoomSignal = eventFor("room");
export const UserEvent = eventFor("user");
export const UnreadEvent = EVENTS.unread.schema;
export const UnreadChangedEvent = EVENTS.unread_changed.schema;
export const Answer = eventFor("socket");

export const ROOM_EVENT_TYPES = (Object.keys(EVENTS) as EventType[]).filter(
  (type): type is RoomEventType => EVENTS[type].audience === "room-log",
);

/** A logged event of a newer version, which clients may receive during an upgrade. */
export const NewerEvent = t.Object({
  type: t.String({
    pattern: `^(?!(?:${ROOM_EVENT_TYPES.join("|")})$)[a-z_]+$`,
    description: "A type that is not described here: it moves the number and changes nothing",
  }),
  room_id: Id,
  seq,
});

export type RoomEventType = TypeFor<"room-log">;
export type RoomEvent = EventOf<RoomEventType>;
export type RoomSignal = EventOf<TypeFor<"room">>;
export type UserEvent = EventOf<TypeFor<"user">>;
export type UnreadEvent = EventOf<"unread">;
export type UnreadChangedEvent = EventOf<"unread_changed">;
export type Answer = EventOf<TypeFor<"socket">>;
export type ServerEvent = EventOf<EventType>;

export type WebhookEvent = Extract<Events[EventType], { webhook: string }>["webhook"];

/** @returns the event's name in outgoing webhooks; null if they do not send it */
export function webhookEventOf(type: RoomEventType): WebhookEvent | null {
  // The log may contain types of a newer version.
  const spec = EVENTS[type] as { webhook?: WebhookEvent } | undefined;
  return spec?.webhook ?? null;
}
