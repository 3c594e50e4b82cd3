import type { Me, Message } from "../../../src/wire/models.ts";
import { type RoomView, wrote } from "./model.ts";
import { covers } from "./room-history.ts";

/** Numbers of a room's messages; both ends are in it. */
export type SeqRange = { from: number; to: number };

/** Messages remembered for each room: what was forgotten has to be seen again to count as read. */
const MAX_SEEN = 5_000;
const MAX_ROOMS = 200;

/** Which messages of one room have been on the screen of a page that had the focus. */
export class SeenMessages {
  readonly #ids = new Set<string>();
  #onScreen: SeqRange | null = null;
  /** The highest number that was seen. */
  newest = 0;

  /**
   * Notes what is on the screen.
   * @param isScroll whether one scrolled here: then what passed by was seen too; a jump skips it
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

  /** The page has lost the focus, or another room is shown: what comes next is not scrolled to. */
  leave(): void {
    this.#onScreen = null;
  }

  /**
   * The newest message that was seen with all unread ones before it; null where the mark stays. My own
   * messages count as seen.
   * @param readAt up to when all is read already
   */
  lastRead(view: RoomView, readAt: string, me: Pick<Me, "id"> | null): Message | null {
    if (!covers(view, readAt)) return null;
    let last: Message | null = null;
    for (const message of view.messages) {
      if (message.created_at <= readAt) continue;
      if (!this.#ids.has(message.id) && !wrote(me, message)) break;
      last = message;
    }
    return last;
  }
}

/** What was seen in each room, while the page is open. */
const rooms = new Map<string, SeenMessages>();

/** What was seen in a room. Of many rooms the one opened longest ago is forgotten. */
export function getSeen(roomId: string): SeenMessages {
  const seen = rooms.get(roomId) ?? new SeenMessages();
  rooms.delete(roomId);
  rooms.set(roomId, seen);
  const [oldest] = rooms.keys();
  if (rooms.size > MAX_ROOMS && oldest) rooms.delete(oldest);
  return seen;
}
