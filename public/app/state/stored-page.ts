import type { Signal } from "@preact/signals";
import type { Clock } from "../connection/clock.ts";
import { limitWait, STORAGE_WAIT_MS } from "../connection/limit-wait.ts";
import type { Snapshots } from "../connection/snapshots.ts";
import type { State } from "./model.ts";
import { fromSnapshot, toSnapshot } from "./snapshot.ts";

/**
 * The part of the state that this browser stores, shown at the next start before the service has
 * answered.
 */
export class StoredPage {
  #isOff = false;
  #running = Promise.resolve();
  #queued: Promise<void> | null = null;

  constructor(
    private readonly state: Signal<State>,
    private readonly snapshots: Snapshots | undefined,
    private readonly clock: Clock,
  ) {}

  /** Writes the state. At most one write waits for the one under way, and writes what is newest then. */
  save(): Promise<void> {
    this.#queued ??= this.#running.then(() => {
      this.#queued = null;
      this.#running = this.#write();
      return this.#running;
    });
    return this.#queued;
  }

  async #write(): Promise<void> {
    const snapshot = this.#isOff ? null : toSnapshot(this.state.value);
    if (snapshot) await this.snapshots?.save(snapshot).catch(() => {});
  }

  /** @returns null if nothing was stored by this version, or the storage does not answer in time */
  async load(): Promise<State | null> {
    const load = async () => fromSnapshot(await this.snapshots?.load());
    return limitWait(load, null, STORAGE_WAIT_MS, this.clock);
  }

  async clear(): Promise<void> {
    await this.snapshots?.clear();
  }

  /** The page is hidden, and perhaps suspended: the next page must not wait for its writes. */
  abort(): void {
    this.snapshots?.abort?.();
  }

  /** Clears what is stored, and stores nothing more of this page. */
  async turnOff(): Promise<void> {
    this.#isOff = true;
    await this.clear();
  }
}
