import type { Api } from "./api.ts";
import type { Clock } from "./clock.ts";

/** Throttles read marks, which move with every row while the reader scrolls. */
const THROTTLE_MS = 1_000;

/** Posts read marks: at once, then at most once a second for each room. */
export class ReadMarks {
  /** By room: the message to mark up to, null for all messages, undefined if nothing waits. */
  readonly #waiting = new Map<string, string | null | undefined>();

  constructor(
    private readonly api: Api,
    private readonly clock: Clock,
  ) {}

  /** @param messageId the last message that was read; null marks all messages of the room */
  post(roomId: string, messageId: string | null): void {
    if (this.#waiting.has(roomId)) {
      this.#waiting.set(roomId, messageId);
      return;
    }
    this.#waiting.set(roomId, undefined);
    const body = messageId === null ? {} : { message_id: messageId };
    // If it fails, the room is unread again with the next list of rooms.
    this.api.call("POST /api/rooms/:id/read", { params: { id: roomId }, body }).catch(() => {});
    this.clock.after(THROTTLE_MS, () => this.#next(roomId));
  }

  /** Drops the mark of a room that waits. */
  cancel(roomId: string): void {
    if (this.#waiting.has(roomId)) this.#waiting.set(roomId, undefined);
  }

  /** Posts waiting marks at once, before the page is hidden or closed. */
  flush(): void {
    for (const roomId of [...this.#waiting.keys()]) this.#next(roomId);
  }

  #next(roomId: string): void {
    const messageId = this.#waiting.get(roomId);
    this.#waiting.delete(roomId);
    if (messageId !== undefined) this.post(roomId, messageId);
  }
}
