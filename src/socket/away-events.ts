import {
  EVENTS,
  ROOM_EVENT_TYPES,
  type RoomEvent,
  type UnreadChangedEvent,
} from "../wire/events.ts";
import type { Message } from "../wire/models.ts";
import type { Sender } from "./sender.ts";
import { awayTopic } from "./socket.ts";

/** Logged events that members without the room open receive too: they change the list of rooms. */
const ALSO_AWAY = new Set(ROOM_EVENT_TYPES.filter((type) => "isAlsoAway" in EVENTS[type]));

/**
 * Publishes what a room's event means to members who do not have the room open.
 * @param text the event as JSON
 */
export function publishAway(sender: Sender, event: RoomEvent, text: string): void {
  if (event.type === "message") publishUnread(sender, event.message);
  if (ALSO_AWAY.has(event.type)) sender.publish(awayTopic(event.room_id), text);
  if (event.type === "message_update") {
    publishUnreadChanged(sender, event, { message_id: event.message.id, is_deleted: false });
  }
  if (event.type === "message_delete") {
    const { message_id, created_at } = event;
    const at = created_at === undefined ? {} : { created_at };
    publishUnreadChanged(sender, event, { message_id, is_deleted: true, ...at });
  }
}

/** An edit may add or remove a mention, and a deleted message is not unread. */
function publishUnreadChanged(
  sender: Sender,
  { room_id, seq }: RoomEvent,
  change: Pick<UnreadChangedEvent, "message_id" | "is_deleted" | "created_at">,
): void {
  const place = { kind: "room", room_id, room_seq: seq } as const;
  const event: UnreadChangedEvent = { type: "unread_changed", ...place, ...change };
  sender.publish(awayTopic(room_id), JSON.stringify(event));
}

/**
 * One publish for all who do not have the room open. Those few for whom it is otherwise get their
 * own: the people that a message names, or the author of one that mentions all.
 */
function publishUnread(sender: Sender, message: Message): void {
  const { id, room_id, seq, author, via, created_at, mentions, broadcast, thread_id } = message;
  const topic = awayTopic(room_id);
  const author_id = via ? null : author.id;
  const unread = {
    ...{ type: "unread", kind: "room", room_id, message_id: id },
    ...{ author_id, created_at, seq, thread_id },
  };
  // Who is connected is online: `@here` mentions everyone whom this publish reaches.
  const isToAll = broadcast !== null;
  const named = mentions.map(({ user_id }) => user_id).filter((userId) => userId !== author_id);
  const others = (isToAll ? [author_id ?? ""] : named)
    .flatMap((userId) => [...(sender.people.get(userId)?.sockets ?? [])])
    .filter((socket) => socket.isSubscribed(topic));
  for (const socket of others) socket.unsubscribe(topic);
  sender.publish(topic, JSON.stringify({ ...unread, mention: isToAll }));
  for (const socket of others) {
    socket.subscribe(topic);
    socket.send(JSON.stringify({ ...unread, mention: !isToAll }));
  }
}
