import { type Signal, signal } from "@preact/signals";
import type { DraftCopy as WireDraft, KeptRoom } from "../../../src/wire/keeping.ts";
import { type Api, ApiError } from "../connection/api.ts";
import type { Clock } from "../connection/clock.ts";
import type { SharedStorage } from "../connection/storage.ts";
import {
  chooseDraft,
  confirmSaved,
  type DraftChoice,
  type DraftCopy,
  emptyCopy,
  offerOf,
  receiveDraft,
  refuseSaved,
  type SavedDraft,
  settle,
  textToSave,
  writeText,
} from "./draft-copy.ts";
import {
  type DraftFacts,
  type DraftPlace,
  DraftStore,
  placeKey,
  readPlace,
} from "./draft-store.ts";
import { Load, mayPass } from "./load.ts";

/** A draft of a list: what is written here, and what is offered beside it. */
export type DraftEntry = DraftPlace & {
  key: string;
  text: string;
  at: string;
  room: KeptRoom | null;
  offer: SavedDraft | null;
  /** Why the service does not take it; null where it has it, or will. */
  problem: string | null;
};

export type DraftSyncDeps = {
  api: Api;
  clock: Clock;
  storage: SharedStorage;
  userId: string;
  /** The name of this device on the service. */
  device: string;
  /** Whether someone writes there now, in any tab of this browser: that text is left alone. */
  isWriting(key: string): boolean;
  /** The text of a draft was replaced by another device's. */
  onText(key: string, before: string): void;
  /** Whether I am in a room, as far as it is known. */
  hasRoom(roomId: string): boolean;
  /** The room of a draft was deleted, and the draft with it. */
  onDeleted(text: string): void;
};

type Stored = DraftCopy & DraftFacts;

/** After the last key. */
const SAVE_AFTER_MS = 2_000;
const RETRY_AFTER_MS = 10_000;
/** The service remembers for a month that a draft was sent or cleared. */
const TOMBSTONES_MS = 31 * 86_400_000;

/** Saves what is written here on the service, and takes over what other devices write. */
export class DraftSync {
  /** All drafts of this browser, the last written first. */
  readonly entries: Signal<DraftEntry[]> = signal([]);
  readonly #load: Load<WireDraft[]>;
  readonly #store: DraftStore;
  readonly #stopWatching: () => void;
  /** By key: cancels the wait before a text is saved. */
  readonly #waits = new Map<string, () => void>();
  readonly #inFlight = new Set<string>();
  /** To be saved again after the request that is under way. */
  readonly #again = new Set<string>();
  #isListing = false;
  /** What the drafts were based on when the list was asked for. */
  #asked = new Map<string, DraftCopy["base"]>();

  constructor(private readonly deps: DraftSyncDeps) {
    const { api, clock, storage, userId } = deps;
    this.#store = new DraftStore(storage, userId, () => clock.now());
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
    this.#stopWatching = storage.watch((key) => {
      if (key === null || this.#store.keyOf(key) !== null) this.#list();
    });
    this.#list();
  }

  /** Loads what the service has, and saves what it has not: something may have been missed. */
  load(): void {
    this.#load.restart();
  }

  stop(): void {
    this.#load.cancel();
    this.#stopWatching();
    for (const cancel of this.#waits.values()) cancel();
    this.#waits.clear();
  }

  /** Another device has written, sent or cleared a draft. */
  hear(draft: WireDraft): void {
    // Its room was deleted, and the draft with it.
    if (draft.version === 0) this.#forget(placeKey(toPlace(draft)));
    else this.#receive(draft);
    this.#list();
  }

  /** The person has written or sent something here; the text is stored already. */
  written(key: string): void {
    if (!readPlace(key)) return;
    const at = new Date(this.deps.clock.now()).toISOString();
    const { text } = this.#change(key, (copy) => ({
      ...writeText(copy, copy.text),
      ...{ at, problem: null },
    }));
    this.#wait(key, text === "" ? 0 : SAVE_AFTER_MS);
  }

  /** Nobody writes there any more. */
  left(key: string): void {
    if (!readPlace(key)) return;
    this.#change(key, (copy) => settle(copy, this.deps.isWriting(key)));
    void this.#save(key);
  }

  /** Whether the service has everything that is written here, or refuses it, or waits for a decision. */
  isSaved(): boolean {
    const isOpen = (copy: Stored) => textToSave(copy) !== null && copy.problem === null;
    return (
      this.#inFlight.size === 0 && !this.#store.keys().some((key) => isOpen(this.#store.read(key)))
    );
  }

  /** The page is hidden or closed: everything is saved now. */
  flush(): void {
    for (const key of this.#store.keys()) void this.#save(key, true);
  }

  /** The person decides about the draft that is offered. */
  choose(key: string, choice: DraftChoice, version: number): void {
    this.#change(key, (copy) => chooseDraft(copy, choice, version));
    void this.#save(key);
  }

  /** Empties a draft by hand, from a list. */
  clear(key: string): void {
    this.#change(key, (copy) => writeText(copy, ""));
    void this.#save(key);
  }

  /** Adds what was discarded or replaced below what is written. */
  append(key: string, text: string): void {
    const join = (before: string) => [before, text].filter((part) => part !== "").join("\n");
    this.#change(key, (copy) => writeText(copy, join(copy.text)));
    void this.#save(key);
  }

  #landAll(drafts: WireDraft[]): void {
    const listed = new Set(drafts.map((draft) => placeKey(toPlace(draft))));
    for (const draft of drafts) this.#receive(draft);
    for (const key of this.#store.keys()) {
      const { base } = this.#store.read(key);
      const isSame = this.#asked.get(key)?.version === base.version;
      // The service had it, and it was neither sent nor cleared: it went with its room, or by its age.
      if (isSame && base.content !== "" && !listed.has(key)) {
        const place = readPlace(key);
        if (place && !this.deps.hasRoom(place.roomId)) this.#forget(key);
        else this.#change(key, (copy) => ({ ...copy, base: emptyCopy.base }));
      }
      // What was refused may be taken now.
      this.#change(key, (copy) => ({ ...copy, problem: null }));
      void this.#save(key);
    }
    this.#list();
  }

  #forget(key: string): void {
    const { text } = this.#store.read(key);
    this.#store.forget(key);
    if (text === "") return;
    this.deps.onText(key, text);
    this.deps.onDeleted(text);
  }

  #receive(draft: WireDraft): void {
    const { version, content, device, room, updated_at: at } = draft;
    const key = placeKey(toPlace(draft));
    const saved = { version, content: content ?? "", device, at };
    this.#change(key, (copy) => {
      const next = receiveDraft(copy, saved, this.deps.isWriting(key));
      return { ...next, room, ...(next.text !== copy.text && { at }) };
    });
  }

  #wait(key: string, ms: number): void {
    this.#waits.get(key)?.();
    const save = () => void this.#save(key);
    this.#waits.set(key, this.deps.clock.after(ms, save));
  }

  async #save(key: string, keepalive = false): Promise<void> {
    this.#waits.get(key)?.();
    this.#waits.delete(key);
    const place = readPlace(key);
    const { base, problem, ...copy } = this.#store.read(key);
    const text = textToSave({ ...copy, base });
    if (!place || text === null || problem !== null) return;
    if (this.#inFlight.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#inFlight.add(key);
    let wait: number | null = null;
    this.#change(key, (now) => ({ ...now, sending: text }));
    const body = {
      ...{ room_id: place.roomId, thread_id: place.threadId, base_version: base.version },
      ...{ content: text || null, device: this.deps.device },
    };
    try {
      const { version } = await this.deps.api.call("PUT /api/drafts", { body }, { keepalive });
      this.#change(key, (now) => confirmSaved(now, text, version));
    } catch (error) {
      this.#failed(key, base.version, error);
      if (mayPass(error)) wait = RETRY_AFTER_MS;
    }
    this.#inFlight.delete(key);
    const isAgain = this.#again.delete(key);
    // What was written meanwhile, or did not arrive.
    const now = this.#store.read(key);
    if (textToSave(now) !== null && now.problem === null)
      this.#wait(key, wait ?? (isAgain ? 0 : SAVE_AFTER_MS));
  }

  #failed(key: string, baseVersion: number, error: unknown): void {
    const other = error instanceof ApiError ? error.draft : null;
    if (other) {
      const { version, content, device, updated_at: at } = other;
      const saved = { version, content: content ?? "", device, at };
      const isWriting = this.deps.isWriting(key);
      this.#change(key, (copy) => refuseSaved(copy, saved, baseVersion, isWriting));
    } else if (!mayPass(error)) {
      const problem = error instanceof ApiError ? error.code : "internal";
      this.#change(key, (copy) => ({ ...copy, sending: null, problem }));
    }
  }

  #change(key: string, edit: (now: Stored) => DraftCopy & Partial<DraftFacts>): Stored {
    const before = this.#store.read(key);
    const next = { ...before, ...edit(before) };
    if (JSON.stringify(next) === JSON.stringify(before)) return before;
    if (this.#store.write(key, next)) this.deps.onText(key, before.text);
    this.#list();
    return next;
  }

  /** Follows the drafts, once for what happens at the same time. */
  #list(): void {
    if (this.#isListing) return;
    this.#isListing = true;
    queueMicrotask(() => {
      this.#isListing = false;
      this.#listNow();
    });
  }

  #listNow(): void {
    const entries = this.#store.keys().flatMap((key): DraftEntry[] => {
      const copy = this.#store.read(key);
      const place = readPlace(key);
      const offer = offerOf(copy);
      if (!place || (copy.text === "" && !offer)) return [];
      const { text, at, room, problem } = copy;
      return [{ ...place, key, text, at, room, offer, problem }];
    });
    const next = entries.sort((a, b) => (a.at < b.at ? 1 : -1));
    if (JSON.stringify(next) !== JSON.stringify(this.entries.value)) this.entries.value = next;
  }
}

function toPlace({ room_id, thread_id }: WireDraft): DraftPlace {
  return { roomId: room_id, threadId: thread_id };
}
