import {
  EVENTS,
  ROOM_EVENT_TYPES,
  type RoomEvent,
  type UnreadChangedEvent,
  type UnreadEvent,
} from "../wire/events.ts";
import type { Message, RoomKind } from "../wire/models.ts";
import type { Broadcaster } from "./broadcaster.ts";
import { awayTopicOf } from "./socket.ts";

/** Events that change lists of rooms, so members who do not have the room open receive them too. */
const ALSO_AWAY = new Set(ROOM_EVENT_TYPES.filter((type) => "isAlsoAway" in EVENTS[type]));

/**
 * Publishes what a room's event means to members who do not have the room open.
 * @param text the event as JSON
 */
export function publishAway(
  broadcaster: Broadcaster,
  event: RoomEvent,
  text: string,
  kind: RoomKind,
): void {
  if (event.type === "message") publishUnread(broadcaster, event.message, kind);
  // Changes of a conversation are signals.
  if (ALSO_AWAY.has(event.type) && kind === "room") broadcaster.publishAway(event, text);
  if (event.type === "message_update") {
    const change = { message_id: event.message.id, is_deleted: false };
    publishUnreadChanged(broadcaster, event, kind, change);
  }
  if (event.type === "message_delete") {
    const { message_id, created_at } = event;
    const at = created_at === undefined ? {} : { created_at };
    publishUnreadChanged(broadcaster, event, kind, { message_id, is_deleted: true, ...at });
  }
}

/** An edit may add or remove a mention, and a deleted message is not unread. */
function publishUnreadChanged(
  broadcaster: Broadcaster,
  { room_id, seq }: RoomEvent,
  kind: RoomKind,
  change: Pick<UnreadChangedEvent, "message_id" | "is_deleted" | "created_at">,
): void {
  const event: UnreadChangedEvent = {
    type: "unread_changed",
    kind,
    room_id,
    room_seq: seq,
    ...change,
  };
  broadcaster.publishAway(event, JSON.stringify(event));
}

/**
 * Publishes `unread` once to everyone who does not have the room open, except the few whose event differs: the
 * people whom the message names, or the author of a message that mentions everyone.
 */
function publishUnread(broadcaster: Broadcaster, message: Message, kind: RoomKind): void {
  const { id, room_id, seq, author, via, created_at, mentions, broadcast, thread_id } = message;
  const author_id = via ? null : author.id;
  const unread = (mention: boolean): UnreadEvent => ({
    type: "unread",
    kind,
    room_id,
    message_id: id,
    author_id,
    created_at,
    seq,
    thread_id,
    mention,
  });
  // Everyone whom this publish reaches is online, so `@here` mentions all of them. So does any message of a
  // conversation.
  const isToAll = broadcast !== null || kind === "direct";
  const named = mentions.map(({ user_id }) => user_id).filter((userId) => userId !== author_id);
  const exceptions = (isToAll ? [author_id ?? ""] : named)
    .flatMap((userId) => [...(broadcaster.people.get(userId)?.sockets ?? [])])
    .filter((socket) => socket.isSubscribed(awayTopicOf(socket, room_id)));
  for (const socket of exceptions) socket.unsubscribe(awayTopicOf(socket, room_id));
  const shared = unread(isToAll);
  broadcaster.publishAway(shared, JSON.stringify(shared));
  for (const socket of exceptions) {
    socket.subscribe(awayTopicOf(socket, room_id));
    socket.send(JSON.stringify(unread(!isToAll)));
  }
}
