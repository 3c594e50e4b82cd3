import type { ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../connection/clock.ts";
import type { Snapshots } from "../../connection/snapshots.ts";
import type { State } from "../model/model.ts";
import { fromSnapshot, toSnapshot } from "./snapshot.ts";

/** After the first change; the changes until then are saved with it. */
const SAVE_DELAY_MS = 1_000;

/**
 * The part of the state that this browser stores, shown at the next start before the service has
 * answered.
 */
export class StoredPage {
  #isOff = false;
  #isDue = false;
  #running = Promise.resolve();
  #queued: Promise<void> | null = null;

  constructor(
    private readonly state: ReadonlySignal<State>,
    private readonly snapshots: Snapshots | undefined,
    private readonly clock: Clock,
  ) {}

  /** Saves the state within a second, also where it changes all the time. */
  saveSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.clock.after(SAVE_DELAY_MS, () => {
      this.#isDue = false;
      void this.save();
    });
  }

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

  /** Reads what is stored. It may never answer. @returns null if nothing was stored by this version */
  async load(): Promise<State | null> {
    return fromSnapshot(await this.snapshots?.load());
  }

  /** Deletes what is stored. It may never answer. */
  async clear(): Promise<void> {
    await this.snapshots?.clear();
  }

  /** The page is hidden, and perhaps suspended: neither the next page nor this one waits for its writes. */
  abort(): void {
    this.snapshots?.abort?.();
    this.#running = Promise.resolve();
    this.#queued = null;
  }

  /** Clears what is stored, and stores nothing more of this page. */
  async turnOff(): Promise<void> {
    this.#isOff = true;
    await this.clear();
  }
}
