import { type Signal, signal } from "@preact/signals";
import type { RoomRef } from "../../../../src/wire/models.ts";
import {
  type DraftBody,
  type DraftCopy,
  type DraftFacts,
  emptyDraft,
  NO_PARTS,
  type SavedDraft,
  type StoredDraft,
} from "./draft-copy.ts";
import { isEmptyBody, isSameParts, offerOf } from "./draft-merge.ts";
import type { DraftSyncDeps } from "./draft-deps.ts";
import { type DraftPlace, readPlace } from "./place-key.ts";

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

type CopiesDeps = Pick<DraftSyncDeps, "drafts" | "onParts">;

/** The drafts of this browser that the service may have: the list of them, and changes by the service. */
export class DraftCopies {
  /** The last written draft first. */
  readonly list: Signal<DraftEntry[]> = signal([]);
  readonly #stopWatching: () => void;
  #isFollowing = false;
  #isStopped = false;

  constructor(private readonly deps: CopiesDeps) {
    const { drafts, onParts } = deps;
    this.#stopWatching = drafts.watch((key) => {
      if (key !== null && readPlace(key)) onParts(key, this.read(key).here);
      this.follow();
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

  /** The keys of all drafts at places of the service, and of those that were sent or cleared. */
  keys(): string[] {
    return this.deps.drafts.keys().filter((key) => readPlace(key) !== null);
  }

  read(key: string): StoredDraft {
    return this.deps.drafts.read(key);
  }

  /** @returns the copy after the change */
  change(key: string, edit: (now: StoredDraft) => DraftCopy & Partial<DraftFacts>): StoredDraft {
    const before = this.read(key);
    const next = { ...before, ...edit(before) };
    if (this.#isStopped || JSON.stringify(next) === JSON.stringify(before)) return before;
    this.deps.drafts.write(key, next);
    return next;
  }

  /** @returns the text from before */
  forget(key: string): string {
    const { content } = this.read(key).here;
    this.deps.drafts.write(key, emptyDraft);
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
