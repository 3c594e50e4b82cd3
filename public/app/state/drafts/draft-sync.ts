import type { Signal } from "@preact/signals";
import type { DraftCopy as WireDraft } from "../../../../src/wire/drafts.ts";
import {
  chooseDraft,
  type DraftChoice,
  isEmptyBody,
  joinBodies,
  postDraft,
  receiveDraft,
  settleCopy,
  writeBody,
} from "./draft-merge.ts";
import {
  type DraftBody,
  type DraftCopy,
  type DraftParts,
  emptyCopy,
  NO_BODY,
} from "./draft-copy.ts";
import type { DraftSyncDeps } from "./draft-deps.ts";
import { DraftCopies, type DraftEntry } from "./draft-copies.ts";
import { DraftSaver } from "./draft-saver.ts";
import { toPlace, toSavedDraft } from "./draft-wire.ts";
import { placeKey, readPlace } from "./place-key.ts";
import { Load } from "../load.ts";

/** How long the service remembers that a draft was sent or cleared: a month. */
const TOMBSTONES_MS = 31 * 86_400_000;

/** Saves this device's drafts on the service, and takes over those of other devices. */
export class DraftSync {
  readonly #load: Load<WireDraft[]>;
  readonly #copies: DraftCopies;
  readonly #saver: DraftSaver;
  /** The base versions of the drafts when the list was requested. */
  #asked = new Map<string, DraftCopy["base"]>();

  constructor(private readonly deps: DraftSyncDeps) {
    const { api, clock } = deps;
    this.#copies = new DraftCopies(deps);
    this.#saver = new DraftSaver({ ...deps, copies: this.#copies });
    this.#load = new Load({
      clock,
      fetch: async (signal) => {
        this.#asked = new Map(this.#copies.keys().map((key) => [key, this.#copies.read(key).base]));
        // Includes drafts that were cleared while this device was offline.
        const after = new Date(clock.now() - TOMBSTONES_MS).toISOString();
        const query = { after };
        return (await api.call("GET /api/drafts", { query }, { signal })).items;
      },
      land: (drafts) => this.#landAll(drafts),
    });
  }

  /** All drafts of this browser, the last written first. */
  get entries(): Signal<DraftEntry[]> {
    return this.#copies.list;
  }

  /**
   * Loads the service's drafts, and saves those that it does not have: changes may have been
   * missed.
   */
  load(): void {
    this.#load.restart();
  }

  stop(): void {
    this.#load.cancel();
    this.#copies.stop();
    this.#saver.stop();
  }

  /** Another device has changed, sent or cleared a draft. */
  hear(draft: WireDraft): void {
    // Its room was deleted, and the draft with it.
    if (draft.version === 0) this.#forget(placeKey(toPlace(draft)));
    else this.#receive(draft);
    this.#copies.follow();
  }

  /** The person has written or sent something here. */
  written(key: string, content: string): void {
    this.#wrote(key, { content });
  }

  /** The person has quoted or attached something here, or taken it off. */
  attached(key: string, parts: DraftParts): void {
    this.#wrote(key, parts);
  }

  /**
   * The person sends the draft: call it before the text is cleared.
   * @returns the `client_id` to post it with, so that the message clears the draft; null if the
   * service has none
   */
  post(key: string): { client_id: string; clears_draft: true } | null {
    if (!readPlace(key)) return null;
    const before = this.#copies.read(key);
    const posting = postDraft(before, this.deps.newId);
    if (!posting) return null;
    const { copy, client_id, isForeign } = posting;
    this.#copies.change(key, (now) => ({ ...now, ...copy }));
    if (isForeign) void this.#saver.name(key, before.here, client_id);
    return { client_id, clears_draft: true };
  }

  /** A post may have been stored or discarded: the rest of its draft is cleared after a while. */
  followPosted(): void {
    for (const key of this.#copies.keys()) {
      const copy = this.#copies.read(key);
      if (copy.posted !== null && this.#saver.dueOf(copy)) this.#saver.wait(key);
    }
  }

  /** Nobody is writing the draft any more. */
  left(key: string): void {
    if (!readPlace(key)) return;
    this.#copies.change(key, (copy) => settleCopy(copy, this.deps.isWriting(key)));
    void this.#saver.save(key);
  }

  /** Whether the service has all drafts of this device, or refuses them, or waits for a decision. */
  isSaved(): boolean {
    const keys = this.#copies.keys();
    return (
      !this.#saver.isBusy && !keys.some((key) => this.#saver.dueOf(this.#copies.read(key)) !== null)
    );
  }

  /** The page is hidden or closed, or its person signs out: everything is saved now. */
  async flush(): Promise<void> {
    await Promise.all(this.#copies.keys().map((key) => this.#saver.save(key, true)));
  }

  /** The person decides about the draft that is offered. */
  choose(key: string, choice: DraftChoice, version: number): void {
    this.#copies.change(key, (copy) => chooseDraft(copy, choice, version));
    void this.#saver.save(key);
  }

  /** Empties a draft by hand, from a list. */
  clear(key: string): void {
    this.#copies.change(key, (copy) => writeBody(copy, NO_BODY));
    void this.#saver.save(key);
  }

  /** Appends a discarded or replaced draft to the text. */
  append(key: string, body: DraftBody): void {
    this.#copies.change(key, (copy) => writeBody(copy, joinBodies(copy.here, body)));
    void this.#saver.save(key);
  }

  #wrote(key: string, change: Partial<DraftBody>): void {
    const at = new Date(this.deps.clock.now()).toISOString();
    const { here } = this.#copies.change(key, (copy) => ({
      ...writeBody(copy, change),
      at,
      problem: null,
    }));
    if (!readPlace(key)) return;
    this.#saver.wait(key, isEmptyBody(here) ? 0 : undefined);
  }

  #landAll(drafts: WireDraft[]): void {
    const listedKeys = new Set(drafts.map((draft) => placeKey(toPlace(draft))));
    for (const draft of drafts) this.#receive(draft);
    for (const key of this.#copies.keys()) {
      const { base } = this.#copies.read(key);
      const isKnown = this.#asked.get(key)?.version === base.version;
      // The service had it, and it was neither sent nor cleared: it was deleted with its room, or
      // because of its age.
      if (isKnown && !isEmptyBody(base) && !listedKeys.has(key)) {
        const place = readPlace(key);
        if (place && !this.deps.hasRoom(place.roomId)) this.#forget(key);
        else this.#copies.change(key, (copy) => ({ ...copy, base: emptyCopy.base }));
      }
      // A draft that was refused may be accepted now.
      this.#copies.change(key, (copy) => ({ ...copy, problem: null }));
      void this.#saver.save(key);
    }
    this.#copies.follow();
  }

  #forget(key: string): void {
    const text = this.#copies.forget(key);
    if (text !== "") this.deps.onDeleted(text);
  }

  #receive(draft: WireDraft): void {
    const saved = toSavedDraft(draft);
    const { room } = draft;
    const key = placeKey(toPlace(draft));
    this.#copies.change(key, (copy) => {
      const next = receiveDraft(copy, saved, this.deps.isWriting(key));
      return { ...next, room, ...(next.here.content !== copy.here.content && { at: saved.at }) };
    });
  }
}
