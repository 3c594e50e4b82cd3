import type { Signal } from "@preact/signals";
import type { DraftCopy as WireDraft } from "../../../src/wire/keeping.ts";
import {
  chooseDraft,
  type DraftBody,
  type DraftChoice,
  type DraftCopy,
  type DraftParts,
  emptyCopy,
  isEmptyBody,
  isSameParts,
  joinBodies,
  NO_BODY,
  NO_PARTS,
  postDraft,
  receiveDraft,
  settle,
  writeBody,
} from "./draft-copy.ts";
import type { DraftSyncDeps } from "./draft-deps.ts";
import { DraftEntries, type DraftEntry } from "./draft-entries.ts";
import { DraftSaver } from "./draft-saver.ts";
import {
  type DraftFacts,
  DraftStore,
  placeKey,
  readPlace,
  type StoredDraft,
} from "./draft-store.ts";
import { toPlace, toSavedDraft } from "./draft-wire.ts";
import { Load } from "./load.ts";

/** The service remembers for a month that a draft was sent or cleared. */
const TOMBSTONES_MS = 31 * 86_400_000;

/** Saves what is written here on the service, and takes over what other devices write. */
export class DraftSync {
  readonly #entries: DraftEntries;
  readonly #load: Load<WireDraft[]>;
  readonly #store: DraftStore;
  readonly #saver: DraftSaver;
  readonly #stopWatching: () => void;
  /** What the drafts were based on when the list was asked for. */
  #asked = new Map<string, DraftCopy["base"]>();

  constructor(private readonly deps: DraftSyncDeps) {
    const { api, clock, storage, userId } = deps;
    this.#store = new DraftStore(storage, userId, () => clock.now());
    this.#entries = new DraftEntries(this.#store);
    this.#saver = new DraftSaver({
      ...{ ...deps, store: this.#store },
      change: (key, edit) => this.#change(key, edit),
    });
    this.#load = new Load({
      clock,
      fetch: async (signal) => {
        this.#asked = new Map(this.#store.keys().map((key) => [key, this.#store.read(key).base]));
        // With what was cleared while this device was away.
        const after = new Date(clock.now() - TOMBSTONES_MS).toISOString();
        const query = { after };
        return (await api.call("GET /api/drafts", { query }, { signal })).items;
      },
      land: (drafts) => this.#landAll(drafts),
    });
    this.#stopWatching = storage.watch((changed) => {
      const key = changed === null ? null : this.#store.keyOf(changed);
      if (key !== null) deps.onParts(key, this.#store.read(key).here);
      if (changed === null || key !== null) this.#entries.follow();
    });
    for (const key of this.#store.keys()) {
      const { here } = this.#store.read(key);
      if (!isSameParts(here, NO_PARTS)) deps.onParts(key, here);
    }
    this.#entries.follow();
  }

  /** All drafts of this browser, the last written first. */
  get entries(): Signal<DraftEntry[]> {
    return this.#entries.list;
  }

  /** Loads what the service has, and saves what it has not: something may have been missed. */
  load(): void {
    this.#load.restart();
  }

  stop(): void {
    this.#load.cancel();
    this.#stopWatching();
    this.#saver.stop();
  }

  /** Another device has written, sent or cleared a draft. */
  hear(draft: WireDraft): void {
    // Its room was deleted, and the draft with it.
    if (draft.version === 0) this.#forget(placeKey(toPlace(draft)));
    else this.#receive(draft);
    this.#entries.follow();
  }

  /** The person has written or sent something here; the text is stored already. */
  written(key: string): void {
    this.#wrote(key, {});
  }

  /** The person has quoted or attached something here, or taken it off. */
  attached(key: string, parts: DraftParts): void {
    this.#wrote(key, parts);
  }

  /**
   * The person sends what is written here: call it before that is cleared.
   * @returns what to post it with, so that the message clears the draft; null where the service has none
   */
  post(key: string): { client_id: string; clears_draft: true } | null {
    if (!readPlace(key)) return null;
    const before = this.#store.read(key);
    const posting = postDraft(before, this.deps.newId);
    if (!posting) return null;
    const { copy, client_id, isForeign } = posting;
    this.#change(key, (now) => ({ ...now, ...copy }));
    if (isForeign) void this.#saver.name(key, before.here, client_id);
    return { client_id, clears_draft: true };
  }

  /** What was posted may have been stored or discarded: what is left of its draft is cleared in a while. */
  followPosted(): void {
    for (const key of this.#store.keys()) {
      const copy = this.#store.read(key);
      if (copy.posted !== null && this.#saver.dueOf(copy)) this.#saver.wait(key);
    }
  }

  /** Nobody writes there any more. */
  left(key: string): void {
    if (!readPlace(key)) return;
    this.#change(key, (copy) => settle(copy, this.deps.isWriting(key)));
    void this.#saver.save(key);
  }

  /** Whether the service has everything that is written here, or refuses it, or waits for a decision. */
  isSaved(): boolean {
    const keys = this.#store.keys();
    return (
      !this.#saver.isBusy && !keys.some((key) => this.#saver.dueOf(this.#store.read(key)) !== null)
    );
  }

  /** The page is hidden or closed: everything is saved now. */
  flush(): void {
    for (const key of this.#store.keys()) void this.#saver.save(key, true);
  }

  /** The person decides about the draft that is offered. */
  choose(key: string, choice: DraftChoice, version: number): void {
    this.#change(key, (copy) => chooseDraft(copy, choice, version));
    void this.#saver.save(key);
  }

  /** Empties a draft by hand, from a list. */
  clear(key: string): void {
    this.#change(key, (copy) => writeBody(copy, NO_BODY));
    void this.#saver.save(key);
  }

  /** Adds what was discarded or replaced below what is written. */
  append(key: string, body: DraftBody): void {
    this.#change(key, (copy) => writeBody(copy, joinBodies(copy.here, body)));
    void this.#saver.save(key);
  }

  #wrote(key: string, parts: Partial<DraftParts>): void {
    if (!readPlace(key)) return;
    const at = new Date(this.deps.clock.now()).toISOString();
    const { here } = this.#change(key, (copy) => ({
      ...writeBody(copy, parts),
      ...{ at, problem: null },
    }));
    this.#saver.wait(key, isEmptyBody(here) ? 0 : undefined);
  }

  #landAll(drafts: WireDraft[]): void {
    const listed = new Set(drafts.map((draft) => placeKey(toPlace(draft))));
    for (const draft of drafts) this.#receive(draft);
    for (const key of this.#store.keys()) {
      const { base } = this.#store.read(key);
      const isKnown = this.#asked.get(key)?.version === base.version;
      // The service had it, and it was neither sent nor cleared: it went with its room, or by its age.
      if (isKnown && !isEmptyBody(base) && !listed.has(key)) {
        const place = readPlace(key);
        if (place && !this.deps.hasRoom(place.roomId)) this.#forget(key);
        else this.#change(key, (copy) => ({ ...copy, base: emptyCopy.base }));
      }
      // What was refused may be taken now.
      this.#change(key, (copy) => ({ ...copy, problem: null }));
      void this.#saver.save(key);
    }
    this.#entries.follow();
  }

  #forget(key: string): void {
    const { content } = this.#store.read(key).here;
    this.#store.forget(key);
    this.deps.onParts(key, NO_PARTS);
    if (content === "") return;
    this.deps.onText(key, content);
    this.deps.onDeleted(content);
  }

  #receive(draft: WireDraft): void {
    const saved = toSavedDraft(draft);
    const { room } = draft;
    const key = placeKey(toPlace(draft));
    this.#change(key, (copy) => {
      const next = receiveDraft(copy, saved, this.deps.isWriting(key));
      return { ...next, room, ...(next.here.content !== copy.here.content && { at: saved.at }) };
    });
  }

  #change(key: string, edit: (now: StoredDraft) => DraftCopy & Partial<DraftFacts>): StoredDraft {
    const before = this.#store.read(key);
    const next = { ...before, ...edit(before) };
    if (JSON.stringify(next) === JSON.stringify(before)) return before;
    if (this.#store.write(key, next)) this.deps.onText(key, before.here.content);
    if (!isSameParts(next.here, before.here)) this.deps.onParts(key, next.here);
    this.#entries.follow();
    return next;
  }
}
