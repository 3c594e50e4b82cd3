/** An instance without a ping for this long has ended. */
const PEER_MS = 5_000;

/** Decides whether this instance leads, from the pings that each instance sends every second. */
export class Peers {
  #olderSeenAt = Number.NEGATIVE_INFINITY;

  /** @param instance the id of this process; a later start has a higher id */
  constructor(
    readonly instance: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  note(instance: string): void {
    if (instance < this.instance) this.#olderSeenAt = this.now();
  }

  /**
   * Whether this is the oldest running instance, which does the work that needs one instance only. Two instances may
   * lead for a moment, and none for some seconds after the oldest has ended.
   */
  get isLeader(): boolean {
    return this.now() - this.#olderSeenAt >= PEER_MS;
  }
}
