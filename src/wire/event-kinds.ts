/** In its own file, so that clients do not bundle the schemas of `events.ts`. */
import type { RoomEvent, ServerEvent, UnreadChangedEvent, UnreadEvent } from "./events.ts";

/** Whether an event is in its room's log. `unread` and `joined` have the `seq` of another event. */
export function isOfLog(event: ServerEvent): event is RoomEvent {
  return "seq" in event && event.type !== "joined" && event.type !== "unread";
}

/** Events that only a room's members receive. */
export type MemberEvent = RoomEvent | UnreadEvent | UnreadChangedEvent;

export function isForMembers(event: ServerEvent): event is MemberEvent {
  return isOfLog(event) || event.type === "unread" || event.type === "unread_changed";
}
