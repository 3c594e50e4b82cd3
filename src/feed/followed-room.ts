import type { RoomEvent } from "../wire/events.ts";

/** A room that someone on this instance follows, and how far its log was published. */
export class FollowedRoom {
  /** Followers on this instance. */
  count = 1;
  /** Its log is being read, or waits for the next read. */
  isReading = false;
  /** Events that arrived before the ones in front of them. */
  readonly #early = new Map<number, RoomEvent>();

  /**
   * @param position the last number published
   * @param known the highest number that the log is known to have
   */
  constructor(
    readonly id: string,
    public position: number,
    public known: number,
  ) {}

  /** How many events are known and not yet published. */
  get lag(): number {
    return Math.max(0, this.known - this.position);
  }

  /** Whether the event that is published next has arrived. */
  get hasNext(): boolean {
    return this.#early.has(this.position + 1);
  }

  /** Adds an event to be published after those before it. @returns false if it was published */
  add(event: RoomEvent): boolean {
    if (event.seq <= this.position) return false;
    this.keep(event);
    this.noteGrowth(event.seq);
    return true;
  }

  /** Keeps an event, without the news that the log has grown to it. */
  keep(event: RoomEvent): void {
    this.#early.set(event.seq, event);
  }

  /** @returns false if the log was known to be as long */
  noteGrowth(seq: number): boolean {
    if (seq <= this.known) return false;
    this.known = seq;
    return true;
  }

  /** Takes the event that is published next, if it has arrived, and moves the position to it. */
  takeNext(): RoomEvent | null {
    const event = this.#early.get(this.position + 1);
    if (!event) return null;
    this.#early.delete(event.seq);
    this.position = event.seq;
    return event;
  }
}
