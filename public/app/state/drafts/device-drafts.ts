import { storeIfSpace, type KeyValue, type SharedStorage } from "../../connection/storage.ts";
import {
  type DraftMark,
  emptyDraft,
  isEmptyBody,
  NO_BODY,
  offerOf,
  parseDraftKey,
  type StoredDraft,
} from "../model/draft-copy.ts";
import type { Signal } from "@preact/signals";
import type { State } from "../model/model.ts";
import { withDrafts } from "../personal/personal.ts";

/**
 * Called after each change, in this page or another tab.
 * @param key null if another tab has cleared the storage
 * @param before the text before the change
 */
type Listener = (key: string | null, before: string) => void;

const PREFIX = "snug.drafts.";

/**
 * A person's drafts in this browser, shared by all tabs through its storage. A draft has a single
 * key, so that its text and the service's version on which it is based are always stored together.
 * If the storage is full, a draft is kept in the memory of this page.
 */
export class DeviceDrafts {
  readonly #prefix: string;
  readonly #unstored = new Map<string, StoredDraft>();
  readonly #listeners = new Set<Listener>();

  /** @param now in ms */
  constructor(
    private readonly storage: SharedStorage,
    userId: string,
    private readonly now: () => number,
  ) {
    this.#prefix = `${PREFIX}${userId}.`;
  }

  /** The keys of all drafts, and of those that were sent or cleared. */
  keys(): string[] {
    const storageKeys = this.storage.keys().filter((key) => key.startsWith(this.#prefix));
    const keys = storageKeys.map((key) => key.slice(this.#prefix.length));
    return [...new Set([...this.#unstored.keys(), ...keys])];
  }

  read(key: string): StoredDraft {
    return this.#unstored.get(key) ?? parseDraft(this.storage.getItem(this.#prefix + key));
  }

  /** @returns false if the draft is only in the memory of this page */
  write(key: string, draft: StoredDraft): boolean {
    const { here, edit } = this.read(key);
    const isChanged = edit === 0 || here.content !== draft.here.content;
    const next = { ...draft, edit: isChanged ? edit + 1 : edit };
    const isStored = storeIfSpace(this.storage, this.#prefix + key, JSON.stringify(next));
    if (isStored) this.#unstored.delete(key);
    else this.#unstored.set(key, next);
    this.#notify(key, here.content);
    return isStored;
  }

  writeText(key: string, content: string): void {
    const draft = this.read(key);
    const at = new Date(this.now()).toISOString();
    this.write(key, { ...draft, here: { ...draft.here, content }, at, problem: null });
  }

  /** @returns a function that unsubscribes */
  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    const stop = this.storage.watch((key, before) => {
      if (key === null) listener(null, "");
      else if (key.startsWith(this.#prefix)) {
        listener(key.slice(this.#prefix.length), parseDraft(before).here.content);
      }
    });
    return () => {
      this.#listeners.delete(listener);
      stop();
    };
  }

  #notify(key: string, before: string): void {
    for (const listener of this.#listeners) listener(key, before);
  }
}

/** Whether the draft under a storage key has a text that the service does not have. */
export function isUnsavedDraft(storage: KeyValue, storageKey: string): boolean {
  if (!storageKey.startsWith(PREFIX)) return false;
  const { here, base } = parseDraft(storage.getItem(storageKey));
  return here.content !== "" && here.content !== base.content;
}

/** Removes everything but the text from a stored draft. */
export function stripDraft(storage: KeyValue, storageKey: string): void {
  const { here, at, edit } = parseDraft(storage.getItem(storageKey));
  const text = { here: { content: here.content }, at, edit };
  storeIfSpace(storage, storageKey, JSON.stringify(text));
}

function parseDraft(json: string | null): StoredDraft {
  try {
    const draft = JSON.parse(json ?? "{}");
    return { ...emptyDraft, ...draft, here: { ...NO_BODY, ...draft.here } };
  } catch {
    return emptyDraft;
  }
}

/**
 * Maintains the index of this device's drafts in the state. All drafts are read once, and each
 * again after it changes.
 * @returns a function that stops this
 */
export function indexDrafts(state: Signal<State>, drafts: DeviceDrafts): () => void {
  const show = (marks: Record<string, DraftMark>) => {
    if (JSON.stringify(marks) === JSON.stringify(state.peek().personal.drafts)) return;
    state.value = withDrafts(state.peek(), marks);
  };
  const readAll = () => {
    const entries = drafts.keys().flatMap((key): [string, DraftMark][] => {
      const mark = toMark(drafts, key);
      return mark ? [[key, mark]] : [];
    });
    // On a first visit, only the service knows whether there are drafts.
    const isKnown = state.peek().personal.drafts !== null || drafts.keys().length > 0;
    if (isKnown) show(Object.fromEntries(entries));
  };
  readAll();
  return drafts.watch((key) => {
    if (key === null) return readAll();
    const { [key]: _, ...others } = state.peek().personal.drafts ?? {};
    const mark = toMark(drafts, key);
    show(mark ? { ...others, [key]: mark } : others);
  });
}

/** @returns null if there is no draft */
function toMark(drafts: DeviceDrafts, key: string): DraftMark | null {
  const place = parseDraftKey(key);
  const copy = drafts.read(key);
  const offer = offerOf(copy);
  const isEmpty = isEmptyBody(copy.here);
  if (!place || (isEmpty && !offer)) return null;
  const { here, room, problem } = copy;
  return { ...place, key, hasText: here.content !== "", isEmpty, offer, room, problem };
}
