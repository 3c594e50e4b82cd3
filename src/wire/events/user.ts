import { Type as t } from "@sinclair/typebox";
import { UnreadActivity } from "../activity.ts";
import type { Code } from "../codes.ts";
import { DraftCopy, Saved, Scheduled } from "../keeping.ts";
import {
  Direct,
  Id,
  Me,
  MyRoom,
  Nullable,
  ReadMark,
  RoomKind,
  Team,
  Timestamp,
} from "../models.ts";
import { ThreadFollow, ThreadMark } from "../threads.ts";
import { event, type EventSpec, seq, whenWritten } from "./spec.ts";

/** Events that reach someone whatever is open: about unread messages, and about their own things. */
export const USER_EVENTS = {
  /** Once for each message. */
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
  /** The conversation, or the recipient's membership of it. */
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
   * The user has read a thread on some screen, or marked it unread. A reply of the user's own reads it up
   * to there without this: `message` and `unread` say so, unless `replied_seq` says that it is included.
   */
  thread_read: {
    audience: "user",
    schema: event("thread_read", { thread_id: Id, ...ThreadMark.properties }),
  },
  /**
   * The user follows a thread from now on, by writing or being mentioned in it too, or no longer does. It
   * moves a mark that is known already forward, never back.
   */
  thread_follow: {
    audience: "user",
    schema: event("thread_follow", { thread_id: Id, ...ThreadFollow.properties }),
  },
  membership_updated: { audience: "user", schema: event("membership_updated", { room: MyRoom }) },
  /** Someone reacted to a message of the user, or the user has seen the list on another screen. */
  activity_updated: {
    audience: "user",
    schema: event("activity_updated", { unread: UnreadActivity }),
  },
  team_updated: { audience: "user", schema: event("team_updated", { team: Team }) },
  /** The caller's own, on all their sockets: saved, changed or done; null if it is no longer saved. */
  saved: { audience: "user", schema: event("saved", { message_id: Id, saved: Nullable(Saved) }) },
  /** Null where the author has deleted it, or its room is gone. */
  scheduled: {
    audience: "user",
    schema: event("scheduled", { id: t.String(), scheduled: Nullable(Scheduled) }),
  },
  scheduled_failed: {
    audience: "user",
    schema: event("scheduled_failed", { id: t.String(), code: t.Unsafe<Code>(t.String()) }),
  },
  /** A cleared draft has no content; version 0 means that its room was deleted. */
  draft: { audience: "user", schema: event("draft", DraftCopy.properties) },
  me_updated: { audience: "user", schema: event("me_updated", { user: Me }) },
} as const satisfies Record<string, EventSpec>;
