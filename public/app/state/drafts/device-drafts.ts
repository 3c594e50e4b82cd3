import { keepIfSpace, type KeyValue, type SharedStorage } from "../../connection/storage.ts";
import { emptyDraft, NO_BODY, type StoredDraft } from "./draft-copy.ts";

/**
 * Called after each change, in this page or another tab.
 * @param key null if another tab has cleared the storage
 * @param before the text from before the change
 */
type Listener = (key: string | null, before: string) => void;

const PREFIX = "snug.drafts.";

/**
 * One person's drafts in this browser: all its tabs share them through the storage. A draft has one
 * key, so that its text is never stored without the version of the service that it follows, nor the
 * reverse. A draft that the storage has no space for is in the memory of this page.
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

  /** @returns false if it is in the memory of this page alone */
  write(key: string, draft: StoredDraft): boolean {
    const { here, edit } = this.read(key);
    const isChanged = edit === 0 || here.content !== draft.here.content;
    const next = { ...draft, edit: isChanged ? edit + 1 : edit };
    const isStored = keepIfSpace(this.storage, this.#prefix + key, JSON.stringify(next));
    if (isStored) this.#unstored.delete(key);
    else this.#unstored.set(key, next);
    this.#notify(key, here.content);
    return isStored;
  }

  /** Stores what the person has written or sent. */
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

/** Whether a storage key has a draft whose text the service does not have. */
export function isUnsavedDraft(storage: KeyValue, storageKey: string): boolean {
  if (!storageKey.startsWith(PREFIX)) return false;
  const { here, base } = parseDraft(storage.getItem(storageKey));
  return here.content !== "" && here.content !== base.content;
}

/** Leaves nothing of a stored draft but its text. */
export function stripDraft(storage: KeyValue, storageKey: string): void {
  const { here, at, edit } = parseDraft(storage.getItem(storageKey));
  const text = { here: { content: here.content }, at, edit };
  keepIfSpace(storage, storageKey, JSON.stringify(text));
}

function parseDraft(json: string | null): StoredDraft {
  try {
    const draft = JSON.parse(json ?? "{}");
    return { ...emptyDraft, ...draft, here: { ...NO_BODY, ...draft.here } };
  } catch {
    return emptyDraft;
  }
}
