import type { Clock } from "./clock.ts";

/** Throttles read marks, which move with every row while the reader scrolls. */
const THROTTLE_MS = 1_000;

/** Posts read marks: at once, then at most once a second for each room or thread. */
export class ReadMarks<Mark> {
  /** The position to post for each room or thread; undefined if none is waiting. */
  readonly #waiting = new Map<string, Mark | undefined>();

  /** The request in flight for each room or thread. */
  readonly #sending = new Map<string, Promise<unknown>>();

  constructor(
    private readonly clock: Clock,
    private readonly send: (id: string, mark: Mark) => Promise<unknown>,
  ) {}

  post(id: string, mark: Mark): void {
    if (this.#waiting.has(id)) {
      this.#waiting.set(id, mark);
      return;
    }
    this.#waiting.set(id, undefined);
    // If it fails, the room is unread again when the list of rooms is next loaded.
    const sending = this.send(id, mark).catch(() => {});
    this.#sending.set(id, sending);
    this.clock.after(THROTTLE_MS, () => this.#next(id));
  }

  /**
   * Drops the waiting mark of a room.
   * @returns a promise that settles when its request in flight has ended; undefined if there is
   * none
   */
  cancel(roomId: string): Promise<unknown> | undefined {
    if (this.#waiting.has(roomId)) this.#waiting.set(roomId, undefined);
    return this.#sending.get(roomId);
  }

  /** Posts waiting marks at once, before the page is hidden or closed. */
  flush(): void {
    for (const id of [...this.#waiting.keys()]) this.#next(id);
  }

  #next(id: string): void {
    const mark = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (mark !== undefined) this.post(id, mark);
  }
}
