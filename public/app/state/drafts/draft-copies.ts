import { type Signal, signal } from "@preact/signals";
import type { RoomRef } from "../../../../src/wire/models.ts";
import {
  type DraftBody,
  type DraftCopy,
  isEmptyBody,
  isSameParts,
  NO_PARTS,
  offerOf,
  type SavedDraft,
} from "./draft-copy.ts";
import type { DraftSyncDeps } from "./draft-deps.ts";
import {
  type DraftFacts,
  type DraftPlace,
  DraftStore,
  readPlace,
  type StoredDraft,
} from "./draft-store.ts";

/** A draft of the list: this device's text, and the draft that is offered beside it. */
export type DraftEntry = DraftPlace & {
  key: string;
  body: DraftBody;
  at: string;
  room: RoomRef | null;
  offer: SavedDraft | null;
  /** Why the service refuses it; null if the service has it, or will. */
  problem: string | null;
};

type CopiesDeps = Pick<DraftSyncDeps, "storage" | "userId" | "clock" | "onText" | "onParts">;

/**
 * The drafts of this browser: stored for all its tabs, with a list of them and a notification of
 * each change.
 */
export class DraftCopies {
  /** The last written draft first. */
  readonly list: Signal<DraftEntry[]> = signal([]);
  readonly #store: DraftStore;
  readonly #stopWatching: () => void;
  #isFollowing = false;
  #isStopped = false;

  constructor(private readonly deps: CopiesDeps) {
    const { storage, userId, clock, onParts } = deps;
    this.#store = new DraftStore(storage, userId, () => clock.now());
    this.#stopWatching = storage.watch((changed) => {
      const key = changed === null ? null : this.#store.keyOf(changed);
      if (key !== null) onParts(key, this.read(key).here);
      if (changed === null || key !== null) this.follow();
    });
    for (const key of this.keys()) {
      const { here } = this.read(key);
      if (!isSameParts(here, NO_PARTS)) onParts(key, here);
    }
    this.follow();
  }

  /** Nothing is stored any more: an answer that comes late may be of someone who has signed out. */
  stop(): void {
    this.#isStopped = true;
    this.#stopWatching();
  }

  /** The keys of all stored drafts, and of those that were sent or cleared. */
  keys(): string[] {
    return this.#store.keys();
  }

  read(key: string): StoredDraft {
    return this.#store.read(key);
  }

  /** @returns the copy after the change */
  change(key: string, edit: (now: StoredDraft) => DraftCopy & Partial<DraftFacts>): StoredDraft {
    const before = this.read(key);
    const next = { ...before, ...edit(before) };
    if (this.#isStopped || JSON.stringify(next) === JSON.stringify(before)) return before;
    if (this.#store.write(key, next)) this.deps.onText(key, before.here.content);
    if (!isSameParts(next.here, before.here)) this.deps.onParts(key, next.here);
    this.follow();
    return next;
  }

  /** @returns the text from before */
  forget(key: string): string {
    const { content } = this.read(key).here;
    this.#store.forget(key);
    this.deps.onParts(key, NO_PARTS);
    if (content !== "") this.deps.onText(key, content);
    this.follow();
    return content;
  }

  /** Updates the list, once for changes of the same moment. */
  follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    queueMicrotask(() => {
      this.#isFollowing = false;
      this.#list();
    });
  }

  #list(): void {
    const entries = this.keys().flatMap((key): DraftEntry[] => {
      const copy = this.read(key);
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
