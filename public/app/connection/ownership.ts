import type { Clock } from "./clock.ts";

/** The part of the Web Locks API that the client uses. */
export type Locks = Pick<LockManager, "request">;

/** A stolen lock is granted in milliseconds, unless Web Locks do not respond at all. */
const STEAL_MS = 2_000;

/**
 * Makes one tab of a browser the owner of something. The lock belongs to the tab, so the browser
 * releases it when the tab is closed or crashes. Without working Web Locks, every tab is an owner.
 */
export class Ownership {
  #isOwner = false;
  #isClosed = false;
  /** Counts requests, so that only the latest one is acted on. */
  #request = 0;
  #cancelWait = () => {};
  #release = () => {};

  /** @param onGain called each time this tab becomes the owner; onLoss when another tab claims it */
  constructor(
    private readonly locks: Locks | null,
    private readonly name: string,
    private readonly handlers: { onGain(): void; onLoss(): void },
    private readonly clock: Pick<Clock, "after">,
  ) {}

  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** Waits to succeed the owner; becomes the owner at once if no tab is. */
  wait(): void {
    if (!this.locks) {
      this.#gain();
      return;
    }
    this.#cancelWait();
    const abort = new AbortController();
    this.#cancelWait = () => abort.abort();
    this.#ask(this.locks, { signal: abort.signal });
  }

  /** Takes over from the owner: the tab in use is awake, another may be suspended. */
  claim(): void {
    if (this.#isOwner || this.#isClosed || !this.locks) return;
    this.#cancelWait();
    this.#ask(this.locks, { steal: true });
    this.#cancelWait = this.clock.after(STEAL_MS, () => this.#gain());
  }

  /** Call when the page is hidden, and perhaps suspended: it must not keep the lock. */
  pause(): void {
    this.#request++;
    this.#isOwner = false;
    this.#cancelWait();
    this.#release();
  }

  close(): void {
    this.#isClosed = true;
    this.pause();
  }

  #ask(locks: Locks, options: LockOptions): void {
    const request = ++this.#request;
    const isCurrent = () => request === this.#request && !this.#isClosed;
    const held = () =>
      new Promise<void>((release) => {
        if (!isCurrent()) {
          release();
          return;
        }
        this.#release = release;
        this.#gain();
      });
    // Blocked storage throws at once.
    const asking = async () => locks.request(this.name, options, held);
    asking().catch(() => {
      if (!isCurrent()) return;
      // Locks are denied, as in a sandboxed frame: treat it as a browser without locks.
      if (!this.#isOwner) {
        this.#gain();
        return;
      }
      this.#isOwner = false;
      this.handlers.onLoss();
      this.wait();
    });
  }

  #gain(): void {
    this.#cancelWait();
    this.#isOwner = true;
    this.handlers.onGain();
  }
}
