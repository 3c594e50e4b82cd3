import { keepIfSpace, type KeyValue } from "../../connection/storage.ts";

/** The storage key of a person's draft in a room. */
export const draftKey = (userId: string, roomId: string) => `snug.draft.${userId}.${roomId}`;

/** How long after the last key the person counts as typing. */
const TYPING_MS = 3_000;

export function readDraft(storage: KeyValue, userId: string, roomId: string): string {
  return storage.getItem(draftKey(userId, roomId)) ?? "";
}

/** @returns false where the browser has no space for it */
export function keepDraft(
  storage: KeyValue,
  userId: string,
  roomId: string,
  text: string,
): boolean {
  return keepIfSpace(storage, draftKey(userId, roomId), text || null);
}

/** Appends text to what was written already. */
export function addToDraft(storage: KeyValue, userId: string, roomId: string, text: string): void {
  const before = readDraft(storage, userId, roomId);
  keepDraft(storage, userId, roomId, [before, text].filter(Boolean).join("\n"));
}

/**
 * A room's draft in one tab. It follows what other tabs of this browser write and send, except while
 * the person types here: then the text of this tab wins, in the other tabs too.
 */
export class Draft {
  text: string;
  /** What this tab last read from the storage or wrote to it. */
  #shared: string;
  #typedAt = Number.NEGATIVE_INFINITY;

  /** @param now in ms */
  constructor(
    private readonly storage: KeyValue,
    private readonly userId: string,
    private readonly roomId: string,
    private readonly now: () => number,
  ) {
    this.text = this.#shared = readDraft(storage, userId, roomId);
  }

  /** The person has changed the text, or sent it. */
  write(text: string): void {
    this.text = text;
    this.#typedAt = text ? this.now() : Number.NEGATIVE_INFINITY;
    if (keepDraft(this.storage, this.userId, this.roomId, text)) this.#shared = text;
  }

  /**
   * Takes over what another tab has stored.
   * @param before what it replaced; undefined where that is not known
   * @returns whether the text is another one now
   */
  follow(before?: string): boolean {
    const text = readDraft(this.storage, this.userId, this.roomId);
    if (text === this.#shared || text === this.text) {
      this.#shared = text;
      return false;
    }
    // The other tab continued from the very text of this one, as it does to send it.
    const isNext = before === this.text;
    const isTyping = !isNext && this.now() - this.#typedAt < TYPING_MS;
    // A text that could not be stored exists only in this tab.
    if (isTyping || (!isNext && this.text !== this.#shared)) {
      this.write(this.text);
      return false;
    }
    this.text = this.#shared = text;
    return true;
  }
}
