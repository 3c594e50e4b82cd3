import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Sections } from "../../../src/wire/sections.ts";
import type { Api } from "../connection/api.ts";
import type { Clock } from "../connection/clock.ts";
import type { State } from "./model/model.ts";

/** A change to the state that the service has not confirmed. It must be idempotent. */
export type Change = (state: State) => State;

/** What `Store.attach` passes to code that is loaded later. */
export type AttachedDeps = {
  api: Api;
  clock: Clock;
  /** The confirmed state. */
  state: ReadonlySignal<State>;
  /** Replaces the sections of the sidebar, whatever their version. */
  replaceSections(sections: Sections): void;
  /** See `Store`. */
  change<T>(change: Change, work: () => Promise<T>): Promise<T>;
};

/** Changes that are applied on top of the state until the service has confirmed them. */
export class PendingChanges {
  readonly shown: ReadonlySignal<State>;
  readonly #changes = signal<readonly Change[]>([]);

  constructor(confirmed: ReadonlySignal<State>) {
    this.shown = computed(() =>
      this.#changes.value.reduce((state, change) => change(state), confirmed.value),
    );
  }

  /**
   * Shows a change until `work` is done and has merged the service's response. After a failure the
   * change is removed.
   * @throws what `work` throws
   */
  async show<T>(change: Change, work: () => Promise<T>): Promise<T> {
    this.#changes.value = [...this.#changes.peek(), change];
    try {
      return await work();
    } finally {
      this.#changes.value = this.#changes.peek().filter((other) => other !== change);
    }
  }

  /** Call when the session has ended, because the changes belong to that person. */
  clear(): void {
    this.#changes.value = [];
  }
}
