import type { RoomSignal, UnreadChangedEvent, UnreadEvent, UserEvent } from "../wire/events.ts";
import { CLOSE_SIGNED_OUT } from "../wire/limits.ts";
import { type Person, roomTopic } from "./socket.ts";

/** The part of Bun's server that publishes to all sockets of a topic. */
type Publisher = {
  publish(topic: string, text: string): unknown;
  subscriberCount(topic: string): number;
};

/** Sends to sockets of this instance: to those that have a room open with one publish, to a user's one by one. */
export class Sender {
  #publisher: Publisher = { publish: () => {}, subscriberCount: () => 0 };

  /** @param people those with an open socket here, by id */
  constructor(readonly people: ReadonlyMap<string, Person>) {}

  /** Until the server listens, what is published reaches nobody. */
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

  /** Sends what is not stored to all sockets that have the room open. */
  broadcastToRoom(signal: RoomSignal): void {
    this.publish(roomTopic(signal.room_id), JSON.stringify(signal));
  }

  /** Sends an event to all of the user's sockets. */
  sendToUser(userId: string, event: UserEvent | RoomSignal): void {
    if (this.people.has(userId)) this.sendToUsers([userId], event);
  }

  /** Sends an event to all sockets of each of these people. */
  sendToUsers(userIds: Iterable<string>, event: UserEvent | RoomSignal): void {
    const text = JSON.stringify(event);
    for (const id of userIds) {
      for (const socket of this.people.get(id)?.sockets ?? [])
        if (socket.data.isGreeted) socket.send(text);
    }
  }

  /** Sends an event to everyone's sockets. */
  sendToAll(event: UserEvent): void {
    this.sendToUsers(this.people.keys(), event);
  }

  /** Sends an event to those of the user's sockets that do not have the conversation open. */
  sendAway(userId: string, roomId: string, event: UnreadEvent | UnreadChangedEvent): void {
    const person = this.people.get(userId);
    if (!person) return;
    const text = JSON.stringify(event);
    for (const socket of person.sockets) {
      if (socket.data.isGreeted && !socket.isSubscribed(roomTopic(roomId))) socket.send(text);
    }
  }

  /** Closes the user's sockets that these sessions or tokens opened; all of them without ids. */
  closeSockets(userId: string, credentialIds?: string[]): void {
    for (const socket of [...(this.people.get(userId)?.sockets ?? [])]) {
      if (credentialIds && !credentialIds.includes(socket.data.credentialId)) continue;
      socket.close(CLOSE_SIGNED_OUT, "signed out");
    }
  }

  /** Closes every socket of this instance. */
  closeAllSockets(code: number, reason: string): void {
    for (const person of this.people.values()) {
      for (const socket of [...person.sockets]) socket.close(code, reason);
    }
  }
}
