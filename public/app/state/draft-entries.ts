import { type Signal, signal } from "@preact/signals";
import type { KeptRoom } from "../../../src/wire/keeping.ts";
import { type DraftBody, isEmptyBody, offerOf, type SavedDraft } from "./draft-copy.ts";
import { type DraftPlace, type DraftStore, readPlace } from "./draft-store.ts";

/** A draft of a list: what is written here, and what is offered beside it. */
export type DraftEntry = DraftPlace & {
  key: string;
  body: DraftBody;
  at: string;
  room: KeptRoom | null;
  offer: SavedDraft | null;
  /** Why the service does not take it; null where it has it, or will. */
  problem: string | null;
};

/** The drafts of this browser as lists show them. */
export class DraftEntries {
  /** The last written first. */
  readonly list: Signal<DraftEntry[]> = signal([]);
  #isFollowing = false;

  constructor(private readonly store: DraftStore) {}

  /** Follows what is stored, once for what happens at the same time. */
  follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    queueMicrotask(() => {
      this.#isFollowing = false;
      this.#read();
    });
  }

  #read(): void {
    const entries = this.store.keys().flatMap((key): DraftEntry[] => {
      const copy = this.store.read(key);
      const place = readPlace(key);
      const offer = offerOf(copy);
      if (!place || (isEmptyBody(copy.here) && !offer)) return [];
      const { here: body, at, room, problem } = copy;
      return [{ ...place, key, body, at, room, offer, problem }];
    });
    const next = entries.sort((a, b) => (a.at < b.at ? 1 : -1));
    if (JSON.stringify(next) !== JSON.stringify(this.list.value)) this.list.value = next;
  }
}
