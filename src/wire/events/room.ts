import { Type as t } from "@sinclair/typebox";
import {
  Id,
  LinkPreview,
  Member,
  Message,
  NewestPin,
  Nullable,
  Pinned,
  Reaction,
  Room,
  Thread,
} from "../models.ts";
import { event, type EventSpec, logged, whenWritten } from "./spec.ts";

const ActorId = Nullable(
  t.String({ description: "Who did it; null for the service and the command line" }),
);

/** What happens in a room, to those who have it open. */
export const ROOM_EVENTS = {
  message: {
    audience: "room-log",
    webhook: "message.created",
    schema: logged("message", {
      message: Message,
      root_thread: t.Optional(
        Nullable({ ...Thread, description: "Of a reply: the thread, with at least this reply" }),
      ),
    }),
  },
  message_update: {
    audience: "room-log",
    webhook: "message.updated",
    schema: logged("message_update", { message: Message }),
  },
  message_delete: {
    audience: "room-log",
    webhook: "message.deleted",
    schema: logged("message_delete", { message_id: Id, ...whenWritten }),
  },
  reaction: {
    audience: "room-log",
    webhook: "reaction.changed",
    schema: logged("reaction", { message_id: Id, reactions: t.Array(Reaction) }),
  },
  link_preview: {
    audience: "room-log",
    schema: logged("link_preview", { message_id: Id, preview: Nullable(LinkPreview) }),
  },
  /** A message was pinned or unpinned, or a pinned one was edited or deleted. */
  pin: {
    audience: "room-log",
    isAlsoAway: true,
    schema: logged("pin", {
      message_id: Id,
      pinned: Nullable(Pinned),
      pin_count: t.Integer(),
      newest_pin: Nullable(NewestPin),
    }),
  },
  /** A thread has another title, is done or open, or has lost a reply; null if it has none left. */
  thread: {
    audience: "room-log",
    isAlsoAway: true,
    schema: logged("thread", { message_id: Id, thread: Nullable(Thread) }),
  },
  room_updated: {
    audience: "room-log",
    isAlsoAway: true,
    webhook: "room.updated",
    schema: logged("room_updated", { room: Room }),
  },
  member_added: {
    audience: "room-log",
    isAlsoAway: true,
    webhook: "member.added",
    schema: logged("member_added", { user_id: Id, actor_id: ActorId }),
  },
  member_removed: {
    audience: "room-log",
    isAlsoAway: true,
    webhook: "member.removed",
    schema: logged("member_removed", { user_id: Id, actor_id: ActorId }),
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
    }),
  },
} as const satisfies Record<string, EventSpec>;
