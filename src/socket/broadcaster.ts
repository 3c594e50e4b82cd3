import {
  EVENTS,
  ROOM_EVENT_TYPES,
  type RoomEvent,
  type RoomSignal,
  type UnreadChangedEvent,
  type UnreadEvent,
  type UserEvent,
} from "../wire/events.ts";
import { CLOSE_SIGNED_OUT } from "../wire/limits.ts";
import type { Message, RoomKind } from "../wire/models.ts";
import { MAY_NOT_READ, toCallersEvent } from "./callers-event.ts";
import { awayTopic, awayTopicOf, awayWithoutTextTopic, type Person, roomTopic } from "./socket.ts";

/** Events that change lists of rooms, so members who do not have the room open receive them too. */
const ALSO_AWAY = new Set(ROOM_EVENT_TYPES.filter((type) => "isAlsoAway" in EVENTS[type]));

/** The part of Bun's server that publishes to all sockets of a topic. */
type Publisher = {
  publish(topic: string, text: string): unknown;
  subscriberCount(topic: string): number;
};

/**
 * Sends events to the sockets of this instance: those of a room with one publish, those of a person one
 * by one.
 */
export class Broadcaster {
  #publisher: Publisher = { publish: () => {}, subscriberCount: () => 0 };

  /** @param people everyone with an open socket here, by id */
  constructor(readonly people: ReadonlyMap<string, Person>) {}

  /** Sets the server. Until then, events reach nobody. */
  attach(publisher: Publisher): void {
    this.#publisher = publisher;
  }

  isOpen(roomId: string): boolean {
    return this.#publisher.subscriberCount(roomTopic(roomId)) > 0;
  }

  /** Sends an event that is not stored to all sockets that have the room open. */
  broadcastToRoom(signal: RoomSignal): void {
    this.#publisher.publish(roomTopic(signal.room_id), JSON.stringify(signal));
  }

  sendToUser(userId: string, event: UserEvent | RoomSignal): void {
    if (this.people.has(userId)) this.sendToUsers([userId], event);
  }

  sendToUsers(userIds: Iterable<string>, event: UserEvent | RoomSignal): void {
    const text = JSON.stringify(event);
    for (const id of userIds) {
      for (const socket of this.people.get(id)?.sockets ?? []) {
        if (!socket.data.isGreeted) continue;
        const callersEvent = toCallersEvent(socket.data, event);
        socket.send(callersEvent === event ? text : JSON.stringify(callersEvent));
      }
    }
  }

  sendToAll(event: UserEvent): void {
    this.sendToUsers(this.people.keys(), event);
  }

  /** Publishes a room's event, and what it means to members who do not have the room open. */
  publish(event: RoomEvent, kind: RoomKind): void {
    const text = JSON.stringify(event);
    this.#publisher.publish(roomTopic(event.room_id), text);
    if (event.type === "message") this.#publishUnread(event.message, kind);
    // Members of a conversation receive its changes as signals instead.
    if (ALSO_AWAY.has(event.type) && kind === "room") this.#publishToAway(event, text);
    if (event.type === "message_update") {
      const change = { message_id: event.message.id, is_deleted: false };
      this.#publishUnreadChanged(event, kind, change);
    }
    if (event.type === "message_delete") {
      const { message_id, created_at } = event;
      const at = created_at === undefined ? {} : { created_at };
      this.#publishUnreadChanged(event, kind, { message_id, is_deleted: true, ...at });
    }
  }

  /**
   * Notifies members who do not have the room open: an edit may add or remove a mention, and a
   * deleted message is not unread.
   */
  #publishUnreadChanged(
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
    this.#publishToAway(event, JSON.stringify(event));
  }

  /**
   * Publishes `unread` once to everyone who does not have the room open, except the few whose event differs: the
   * people whom the message names, or the author of a message that mentions everyone.
   */
  #publishUnread(message: Message, kind: RoomKind): void {
    const { id, room_id, seq, author, via, created_at, mentions, broadcast, thread_id } = message;
    const author_id = via ? null : author.id;
    // Everyone whom this publish reaches is online, so `@here` mentions all of them. So does any message of a
    // conversation.
    const isToAll = broadcast !== null || kind === "direct";
    const event: UnreadEvent = {
      type: "unread",
      kind,
      room_id,
      message_id: id,
      author_id,
      created_at,
      seq,
      thread_id,
      mention: isToAll,
    };
    const mentionedIds = mentions
      .map(({ user_id }) => user_id)
      .filter((userId) => userId !== author_id);
    const exceptions = (isToAll ? [author_id ?? ""] : mentionedIds)
      .flatMap((userId) => [...(this.people.get(userId)?.sockets ?? [])])
      .filter((socket) => socket.isSubscribed(awayTopicOf(socket, room_id)));
    for (const socket of exceptions) socket.unsubscribe(awayTopicOf(socket, room_id));
    this.#publishToAway(event, JSON.stringify(event));
    for (const socket of exceptions) {
      socket.subscribe(awayTopicOf(socket, room_id));
      socket.send(JSON.stringify({ ...event, mention: !isToAll }));
    }
  }

  /** @param text the event as JSON */
  #publishToAway(event: RoomEvent | UnreadEvent | UnreadChangedEvent, text: string): void {
    const { room_id } = event;
    this.#publisher.publish(awayTopic(room_id), text);
    const topic = awayWithoutTextTopic(room_id);
    if (this.#publisher.subscriberCount(topic) === 0) return;
    this.#publisher.publish(topic, JSON.stringify(toCallersEvent(MAY_NOT_READ, event)));
  }

  /** Closes the user's sockets that these sessions or tokens opened, or all of them. */
  closeSockets(userId: string, credentialIds?: string[]): void {
    for (const socket of [...(this.people.get(userId)?.sockets ?? [])]) {
      if (credentialIds && !credentialIds.includes(socket.data.credentialId)) continue;
      socket.close(CLOSE_SIGNED_OUT, "signed out");
    }
  }

  closeAllSockets(code: number, reason: string): void {
    for (const person of this.people.values()) {
      for (const socket of [...person.sockets]) socket.close(code, reason);
    }
  }
}
