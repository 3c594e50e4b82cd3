import type {
  RoomEvent,
  RoomSignal,
  UnreadChangedEvent,
  UnreadEvent,
  UserEvent,
} from "../wire/events.ts";
import { CLOSE_SIGNED_OUT } from "../wire/limits.ts";
import { MAY_NOT_READ, toCallersEvent } from "./callers-event.ts";
import { awayTopic, awayWithoutTextTopic, callerOf, type Person, roomTopic } from "./socket.ts";

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

  /** Sets the server, before which events reach nobody. */
  attach(publisher: Publisher): void {
    this.#publisher = publisher;
  }

  /** @param text an event as JSON */
  publish(topic: string, text: string): void {
    this.#publisher.publish(topic, text);
  }

  /** Whether a socket here has the room open. */
  isOpen(roomId: string): boolean {
    return this.#publisher.subscriberCount(roomTopic(roomId)) > 0;
  }

  /** Sends an event that is not stored to all sockets that have the room open. */
  broadcastToRoom(signal: RoomSignal): void {
    this.publish(roomTopic(signal.room_id), JSON.stringify(signal));
  }

  sendToUser(userId: string, event: UserEvent | RoomSignal): void {
    if (this.people.has(userId)) this.sendToUsers([userId], event);
  }

  sendToUsers(userIds: Iterable<string>, event: UserEvent | RoomSignal): void {
    const text = JSON.stringify(event);
    for (const id of userIds) {
      for (const socket of this.people.get(id)?.sockets ?? []) {
        if (!socket.data.isGreeted) continue;
        const shown = toCallersEvent(callerOf(socket), event);
        socket.send(shown === event ? text : JSON.stringify(shown));
      }
    }
  }

  sendToAll(event: UserEvent): void {
    this.sendToUsers(this.people.keys(), event);
  }

  /**
   * Publishes an event to members' sockets that do not have its room open.
   * @param text the event as JSON
   */
  publishAway(event: RoomEvent | UnreadEvent | UnreadChangedEvent, text: string): void {
    const { room_id } = event;
    this.publish(awayTopic(room_id), text);
    const topic = awayWithoutTextTopic(room_id);
    if (this.#publisher.subscriberCount(topic) === 0) return;
    this.publish(topic, JSON.stringify(toCallersEvent(MAY_NOT_READ, event)));
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
