import type { Me, Message } from "../../../../src/wire/models.ts";
import { type RoomView, isAuthor } from "../model/model.ts";
import { coversTime } from "./room-history.ts";

/** A range of log numbers in a room, both ends included. */
export type SeqRange = { from: number; to: number };

/**
 * How many messages of a room are remembered. Others count as read only when they are seen again.
 */
const MAX_SEEN = 5_000;
const MAX_ROOMS = 200;

/** The messages of one room that were visible while the page had the focus. */
export class SeenMessages {
  readonly #ids = new Set<string>();
  #onScreen: SeqRange | null = null;
  /** The highest number that was seen. */
  newest = 0;

  /**
   * Records which messages are visible.
   * @param isScroll whether the reader scrolled, so that the messages in between were seen too
   */
  note(messages: Message[], onScreen: SeqRange, isScroll: boolean): void {
    const before = isScroll ? this.#onScreen : null;
    const from = Math.min(onScreen.from, before?.from ?? Infinity);
    const to = Math.max(onScreen.to, before?.to ?? 0);
    this.#onScreen = onScreen;
    this.newest = Math.max(this.newest, to);
    for (const { id, seq } of messages) if (seq >= from && seq <= to) this.#ids.add(id);
    for (const id of this.#ids) {
      if (this.#ids.size <= MAX_SEEN) break;
      this.#ids.delete(id);
    }
  }

  /** Marks messages after a time as not seen. */
  forgetAfter(messages: Message[], time: string): void {
    for (const { id, created_at } of messages) if (created_at > time) this.#ids.delete(id);
    this.#onScreen = null;
  }

  /**
   * Call when the page has lost the focus: the next range is then not reached by scrolling. Leaving
   * a room needs no call: it opens again where it was left, or at a range that is not scrolled to.
   */
  leave(): void {
    this.#onScreen = null;
  }

  /**
   * The newest message up to which all unread messages were seen; null if the read mark does not
   * change. My own messages count as seen.
   * @param readAt the time up to which everything is read
   */
  lastRead(view: RoomView, readAt: string, me: Pick<Me, "id"> | null): Message | null {
    if (!coversTime(view, readAt)) return null;
    let last: Message | null = null;
    for (const message of view.messages) {
      if (message.created_at <= readAt) continue;
      if (!this.#ids.has(message.id) && !isAuthor(me, message)) break;
      last = message;
    }
    return last;
  }
}

/** The messages seen in each room while the page is open. */
const rooms = new Map<string, SeenMessages>();

/** The messages seen in a room. Beyond a number of rooms, the one opened longest ago is dropped. */
export function getSeen(roomId: string): SeenMessages {
  const seenMessages = rooms.get(roomId) ?? new SeenMessages();
  rooms.delete(roomId);
  rooms.set(roomId, seenMessages);
  const [oldest] = rooms.keys();
  if (rooms.size > MAX_ROOMS && oldest) rooms.delete(oldest);
  return seenMessages;
}
