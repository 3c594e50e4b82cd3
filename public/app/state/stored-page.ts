import type { Signal } from "@preact/signals";
import type { Snapshots } from "../connection/snapshots.ts";
import type { State } from "./model.ts";
import { fromSnapshot, toSnapshot } from "./snapshot.ts";

/**
 * The part of the state that this browser stores, shown at the next start before the service has
 * answered.
 */
export class StoredPage {
  #isOff = false;

  constructor(
    private readonly state: Signal<State>,
    private readonly snapshots: Snapshots | undefined,
  ) {}

  async save(): Promise<void> {
    const snapshot = this.#isOff ? null : toSnapshot(this.state.value);
    if (snapshot) await this.snapshots?.save(snapshot);
  }

  /** @returns null if nothing was stored by this version */
  async load(): Promise<State | null> {
    return fromSnapshot(await this.snapshots?.load());
  }

  async clear(): Promise<void> {
    await this.snapshots?.clear();
  }

  /** Clears what is stored, and stores nothing more of this page. */
  async turnOff(): Promise<void> {
    this.#isOff = true;
    await this.clear();
  }
}
