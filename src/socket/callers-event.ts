import { toCallersMessage, toCallersThread } from "../messages/read.ts";
import { toCallersRoom } from "../rooms/newest-pin.ts";
import { type Caller, mayReadMessages } from "../routing/actor.ts";
import type { ServerEvent } from "../wire/events.ts";

type EventType = ServerEvent["type"];
type Hider<T extends EventType> = (
  caller: Caller,
  event: Extract<ServerEvent, { type: T }>,
) => Extract<ServerEvent, { type: T }>;

/**
 * Hides other people's text from a token without `read:messages`, as REST does. Null for events that contain
 * no text, or only the recipient's own.
 */
const HIDERS: { [T in EventType]: Hider<T> | null } = {
  message: (caller, event) => ({
    ...event,
    message: toCallersMessage(caller, event.message),
    ...(event.root_thread && { root_thread: toCallersThread(caller, event.root_thread) }),
  }),
  message_update: (caller, event) => ({
    ...event,
    message: toCallersMessage(caller, event.message),
  }),
  message_delete: null,
  reaction: null,
  link_preview: (_, event) => ({ ...event, preview: null }),
  pin: toCallersRoom,
  thread: (caller, event) => ({
    ...event,
    thread: event.thread && toCallersThread(caller, event.thread),
  }),
  room_updated: null,
  member_added: null,
  member_removed: null,
  typing: null,
  member_updated: null,

  unread: null,
  unread_changed: null,
  direct_added: (caller, event) => ({ ...event, direct: toCallersRoom(caller, event.direct) }),
  direct_updated: (caller, event) => ({ ...event, direct: toCallersRoom(caller, event.direct) }),
  room_added: (caller, event) => ({ ...event, room: toCallersRoom(caller, event.room) }),
  room_removed: null,
  read: null,
  thread_read: null,
  thread_follow: null,
  membership_updated: (caller, event) => ({ ...event, room: toCallersRoom(caller, event.room) }),
  activity_updated: null,
  team_updated: null,
  saved: (caller, event) => ({
    ...event,
    saved: event.saved && {
      ...event.saved,
      message: toCallersMessage(caller, event.saved.message),
    },
  }),
  scheduled: null,
  scheduled_failed: null,
  draft: null,
  me_updated: null,
  sections_updated: null,

  hello: null,
  joined: null,
  resync: null,
  left: null,
  ack: (caller, event) =>
    "message" in event ? { ...event, message: toCallersMessage(caller, event.message) } : event,
  pong: null,
  error: null,
};

/** A caller that may read no message: a bot without messages of its own, whose token lacks `read:messages`. */
export const MAY_NOT_READ: Caller = { id: "", token: { id: "", scopes: [], msLeft: null } };

export function toCallersEvent<E extends ServerEvent>(caller: Caller, event: E): E {
  if (mayReadMessages(caller)) return event;
  const hide = HIDERS[event.type] as ((caller: Caller, event: E) => E) | null;
  return hide ? hide(caller, event) : event;
}
