import { type Static, Type as t } from "@sinclair/typebox";
import { Id, Nullable, Timestamp, Version } from "./basics.ts";
import { Status, User } from "./people.ts";

/** Rooms, direct conversations, and memberships of both. */

export const Privacy = t.Union([t.Literal("open"), t.Literal("private")]);
export const RoomKind = t.Union([t.Literal("room"), t.Literal("direct")]);
export const Role = t.Union([t.Literal("owner"), t.Literal("admin"), t.Literal("member")]);
export const Notify = t.Union([t.Literal("all"), t.Literal("mentions"), t.Literal("none")]);

/** Whether messages of a room can be answered in threads; existing threads go on. */
export const Threads = t.Union([t.Literal("on"), t.Literal("off")]);

/** Which replies of a room are pushed: those of threads that the member follows, or all. */
export const ThreadPush = t.Union([t.Literal("followed"), t.Literal("all")]);

/** The caller's own membership of a room. */
export const Membership = t.Object({
  role: Role,
  last_read_at: Timestamp,
  last_read_seq: t.Integer({ minimum: 0, description: "The mark's number in the room's log" }),
  notify: Notify,
  thread_push: t.Unsafe<Static<typeof ThreadPush>>({
    ...ThreadPush,
    description: "Which replies are pushed, as far as `notify` tells of the room",
  }),
  unread: t.Boolean(),
  mention_count: t.Integer({ description: "At most 1,000 are counted" }),
  pinned_at: Nullable(
    t.String({ ...Timestamp, description: "Since when it is a favourite; null if it is not one" }),
  ),
  version: Version,
});

/** How far the caller has read a room, and what is unread as of a number of its log. */
export const ReadMark = t.Composite([
  t.Pick(Membership, ["last_read_at", "last_read_seq", "unread", "mention_count", "version"]),
  t.Object({
    unread_count: t.Optional(
      t.Integer({ description: "Of a direct conversation alone, at most 100" }),
    ),
    room_seq: t.Integer({ minimum: 0, description: "The room's number that this includes" }),
  }),
]);

/** A read mark, and whose room it is. */
export const RoomReadMark = t.Composite([t.Object({ room_id: Id }), ReadMark]);

/** Who may pin messages in a room. */
export const Pinning = t.Union([t.Literal("members"), t.Literal("admins")]);
export const NewestPin = t.Object({
  message_id: Id,
  excerpt: t.String({
    description: "The beginning of its text, without Markdown; empty where it has none",
  }),
});
const Pins = {
  pin_count: t.Integer({ description: "0 for callers who are not members" }),
  newest_pin: Nullable(NewestPin),
};
export const Room = t.Object({
  id: Id,
  name: t.String(),
  description: Nullable(t.String()),
  privacy: Privacy,
  is_archived: t.Boolean(),
  is_default: t.Boolean({ description: "Everyone who signs up is in it from the start" }),
  pinning: t.Unsafe<Static<typeof Pinning>>({
    ...Pinning,
    description: "Who may pin messages: all members, or the owner and admins",
  }),
  threads: t.Unsafe<Static<typeof Threads>>({
    ...Threads,
    description: "While it is off, no new thread begins; existing ones continue",
  }),
  owner: User,
  created_at: Timestamp,
  member_count: t.Integer(),
  last_message_at: Nullable(Timestamp),
  seq: t.Integer({ minimum: 0, description: "The events of the room's log that this includes" }),
});

/** A room with the caller's membership: null for callers who are not members. */
export const MyRoom = t.Composite([Room, t.Object({ ...Pins, membership: Nullable(Membership) })]);
export const Member = t.Object({ user: User, role: Role, joined_at: Timestamp, status: Status });

/** The caller's own membership of a direct conversation. */
export const DirectMembership = t.Composite([
  t.Pick(Membership, ["last_read_at", "last_read_seq", "notify", "unread", "version"]),
  t.Object({
    unread_count: t.Integer({ description: "At most 100 are counted" }),
    hidden_at: Nullable(
      t.String({ description: "When the caller hid it; a later message lists it again" }),
    ),
    pinned_at: Nullable(Timestamp),
  }),
]);

/** A direct conversation; its `id` is the `room_id` of its messages. */
export const Direct = t.Object({
  id: Id,
  kind: t.Union([t.Literal("self"), t.Literal("pair"), t.Literal("group")]),
  members: t.Array(t.Object({ user: User, status: Status }), {
    description: "All of them, by username",
  }),
  created_at: Timestamp,
  last_message_at: Nullable(Timestamp),
  is_closed: t.Boolean({
    description: "Nothing can be written: the partner is deactivated, or everyone else has left",
  }),
  seq: t.Integer({ minimum: 0, description: "The events of the log that this includes" }),
  ...Pins,
  membership: DirectMembership,
  last_message: t.Optional(
    Nullable(
      t.Object(
        {
          author_id: Id,
          excerpt: t.String({
            description: "The beginning of its text, without Markdown; empty where it has none",
          }),
        },
        { description: "Only in a list that asks for it" },
      ),
    ),
  ),
});

export type Privacy = Static<typeof Privacy>;
export type RoomKind = Static<typeof RoomKind>;
export type Role = Static<typeof Role>;
export type Notify = Static<typeof Notify>;
export type Threads = Static<typeof Threads>;
export type ThreadPush = Static<typeof ThreadPush>;
export type Membership = Static<typeof Membership>;
export type ReadMark = Static<typeof ReadMark>;
export type RoomReadMark = Static<typeof RoomReadMark>;
export type Pinning = Static<typeof Pinning>;
export type NewestPin = Static<typeof NewestPin>;
export type Room = Static<typeof Room>;
export type MyRoom = Static<typeof MyRoom>;
export type Member = Static<typeof Member>;
export type Direct = Static<typeof Direct>;
