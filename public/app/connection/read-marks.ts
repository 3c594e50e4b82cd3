import type { Api } from "./api.ts";
import type { Clock } from "./clock.ts";

/** While one scrolls the mark moves with every row; the service hears of it so often. */
const EVERY_MS = 1_000;

/** Posts read marks: at once, then at most once a second for each room. */
export class ReadMarks {
  /** By room: the message up to which to mark, null for all, undefined where nothing waits. */
  readonly #waiting = new Map<string, string | null | undefined>();

  constructor(
    private readonly api: Api,
    private readonly clock: Clock,
  ) {}

  /** @param messageId up to which all is read; null for everything that is in the room now */
  post(roomId: string, messageId: string | null): void {
    if (this.#waiting.has(roomId)) {
      this.#waiting.set(roomId, messageId);
      return;
    }
    this.#waiting.set(roomId, undefined);
    const body = messageId === null ? {} : { message_id: messageId };
    // What does not get through is unread again with the next list of rooms.
    this.api.call("POST /api/rooms/:id/read", { params: { id: roomId }, body }).catch(() => {});
    this.clock.after(EVERY_MS, () => this.#next(roomId));
  }

  /** Posts what waits: the page is hidden, or closed. */
  flush(): void {
    for (const roomId of [...this.#waiting.keys()]) this.#next(roomId);
  }

  #next(roomId: string): void {
    const messageId = this.#waiting.get(roomId);
    this.#waiting.delete(roomId);
    if (messageId !== undefined) this.post(roomId, messageId);
  }
}
