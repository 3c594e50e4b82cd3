import {
  type Channel,
  storeIfSpace,
  type KeyValue,
  type SharedStorage,
} from "../../connection/storage.ts";
import {
  type DraftBody,
  type DraftFacts,
  type DraftMark,
  emptyDraft,
  isEmptyBody,
  isSameBody,
  NO_BODY,
  offerOf,
  parseDraftKey,
  type StoredDraft,
} from "../model/draft-copy.ts";
import type { ReadonlySignal } from "@preact/signals";
import type { State } from "../model/model.ts";

/**
 * Called after each change, in this page or another tab.
 * @param before the text before the change
 */
type Listener = (key: string, before: string) => void;
/** A change by another tab; null from a new one, which asks for drafts that are not stored. */
type Message = { key: string; draft: StoredDraft; before: string } | null;

const PREFIX = "snug.drafts.";

/**
 * A person's drafts in this browser, shared by all its tabs. A draft has a single storage key, so
 * that its text and the service's version on which it is based are always stored together. Each
 * change also goes to the other tabs, which then have it even if the storage is full.
 */
export class DeviceDrafts {
  readonly #prefix: string;
  /** Drafts that had no space, and those of other tabs, whose storage this tab may see later. */
  readonly #inMemory = new Map<string, StoredDraft>();
  readonly #listeners = new Set<Listener>();
  readonly #channel: Channel<Message>;

  /** @param now in ms */
  constructor(
    private readonly storage: SharedStorage,
    userId: string,
    private readonly now: () => number,
  ) {
    this.#prefix = `${PREFIX}${userId}.`;
    this.#channel = storage.openChannel<Message>(this.#prefix, (message) =>
      this.#onMessage(message),
    );
    this.#channel.post(null);
  }

  close(): void {
    this.#channel.close();
  }

  /** The keys of all drafts, and of those that were sent or cleared. */
  keys(): string[] {
    const storageKeys = this.storage.keys().filter((key) => key.startsWith(this.#prefix));
    const keys = storageKeys.map((key) => key.slice(this.#prefix.length));
    return [...new Set([...this.#inMemory.keys(), ...keys])];
  }

  read(key: string): StoredDraft {
    const stored = parseDraft(this.storage.getItem(this.#prefix + key));
    const draft = this.#inMemory.get(key);
    return draft && draft.edit >= stored.edit ? draft : stored;
  }

  /** @returns false if the draft is only in the memory of this browser's tabs */
  write(key: string, draft: StoredDraft): boolean {
    const { here, edit } = this.read(key);
    const isChanged = edit === 0 || here.content !== draft.here.content;
    const next = { ...draft, edit: isChanged ? edit + 1 : edit };
    const isStored = storeIfSpace(this.storage, this.#prefix + key, JSON.stringify(next));
    if (isStored) this.#inMemory.delete(key);
    else this.#inMemory.set(key, next);
    // A text that was sent must not come back after a kill.
    if (!isStored && isEmptyBody(next.here)) this.storage.removeItem(this.#prefix + key);
    this.#channel.post({ key, draft: next, before: here.content });
    this.#notify(key, here.content);
    return isStored;
  }

  change(key: string, change: Partial<DraftBody>, facts: Partial<DraftFacts> = {}): void {
    const draft = this.read(key);
    const at = new Date(this.now()).toISOString();
    const here = { ...draft.here, ...change };
    this.write(key, { ...draft, here, at, problem: null, ...facts });
  }

  /** @returns a function that unsubscribes */
  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #onMessage(message: Message): void {
    if (!message) {
      for (const [key, draft] of this.#inMemory)
        this.#channel.post({ key, draft, before: draft.here.content });
      return;
    }
    const { key, draft, before } = message;
    const { here, base, edit } = this.read(key);
    // When two tabs write at the same time, a text that the service has gives way.
    const isReplaceable = draft.here.content === here.content || isSameBody(here, base);
    if (draft.edit > edit || (draft.edit === edit && isReplaceable)) this.#inMemory.set(key, draft);
    this.#notify(key, before);
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
 * @param show shows the index in the state
 * @returns a function that stops this
 */
export function indexDrafts(
  state: ReadonlySignal<State>,
  drafts: DeviceDrafts,
  show: (marks: Record<string, DraftMark>) => void,
): () => void {
  const showChanged = (marks: Record<string, DraftMark>) => {
    if (JSON.stringify(marks) !== JSON.stringify(state.peek().personal.drafts)) show(marks);
  };
  const entries = drafts.keys().flatMap((key): [string, DraftMark][] => {
    const mark = toMark(drafts, key);
    return mark ? [[key, mark]] : [];
  });
  // On a first visit, only the service knows whether there are drafts.
  const isKnown = state.peek().personal.drafts !== null || drafts.keys().length > 0;
  if (isKnown) showChanged(Object.fromEntries(entries));
  return drafts.watch((key) => {
    const { [key]: _, ...others } = state.peek().personal.drafts ?? {};
    const mark = toMark(drafts, key);
    showChanged(mark ? { ...others, [key]: mark } : others);
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
