/** An instance whose last ping is older than this has ended. */
const PEER_MS = 5_000;

/** The other instances on this database, as far as their pings arrive: each sends one a second. */
export class Peers {
  #seenAt = Number.NEGATIVE_INFINITY;
  #olderSeenAt = Number.NEGATIVE_INFINITY;

  /** @param instance the id of this process: ids grow with the time of the start */
  constructor(
    readonly instance: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Another instance is running. */
  note(instance: string): void {
    const now = this.now();
    this.#seenAt = now;
    if (instance < this.instance) this.#olderSeenAt = now;
  }

  /** Whether another instance is running. */
  get areThere(): boolean {
    return this.now() - this.#seenAt < PEER_MS;
  }

  /**
   * Whether no instance that is running is older: what one of them may do for all falls to this one.
   * Two may hold this for a moment, and none for some seconds after the oldest has ended.
   */
  get isOldest(): boolean {
    return this.now() - this.#olderSeenAt >= PEER_MS;
  }
}
