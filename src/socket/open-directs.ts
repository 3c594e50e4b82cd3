import type { Feed } from "../feed/feed.ts";
import { type Person, roomTopic } from "./socket.ts";

/** The conversations that sockets of this instance have open: unlike rooms, only those are followed. */
export class OpenDirects {
  /** Who has each of them open. */
  readonly #people = new Map<string, Set<Person>>();

  constructor(private readonly feed: () => Pick<Feed, "unfollow">) {}

  /** Whether someone here has the conversation open. */
  has(roomId: string): boolean {
    return this.#people.has(roomId);
  }

  /** The ids of all of them. */
  list(): string[] {
    return [...this.#people.keys()];
  }

  /** Adds a conversation, which is followed already, to those that the person has open. */
  add(person: Person, roomId: string, seq: number): void {
    person.directs ??= new Map();
    person.directs.set(roomId, seq);
    const people = this.#people.get(roomId) ?? new Set();
    this.#people.set(roomId, people.add(person));
  }

  /** @returns false if the person did not have the conversation open */
  remove(person: Person, roomId: string): boolean {
    if (!person.directs?.delete(roomId)) return false;
    this.feed().unfollow([roomId]);
    const people = this.#people.get(roomId);
    people?.delete(person);
    if (people?.size === 0) this.#people.delete(roomId);
    return true;
  }

  /** Removes a conversation that none of the person's sockets has open any more. */
  removeIfClosed(person: Person, roomId: string): void {
    if ([...person.sockets].some((socket) => socket.isSubscribed(roomTopic(roomId)))) return;
    this.remove(person, roomId);
  }
}
