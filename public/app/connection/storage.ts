/** The part of `localStorage` that reads and writes one key; a Map in tests. */
export type KeyValue = {
  getItem(key: string): string | null;
  /** @throws DOMException where the browser's quota is used up */
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/**
 * Stores what a page can do without.
 * @param value null removes the key
 * @returns false where the browser has no space for it
 */
export function keepIfSpace(storage: KeyValue, key: string, value: string | null): boolean {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Storage that all tabs of a browser share. */
export type SharedStorage = KeyValue & {
  keys(): string[];
  /**
   * Calls with each key that another tab has changed, and its previous value; with null when the
   * tab has cleared everything.
   * @returns a function that unsubscribes
   */
  watch(listener: (key: string | null, before: string | null) => void): () => void;
};

/** `localStorage` as a SharedStorage. */
export function createBrowserStorage(): SharedStorage {
  return {
    getItem: (key) => localStorage.getItem(key),
    setItem: (key, value) => localStorage.setItem(key, value),
    removeItem: (key) => localStorage.removeItem(key),
    keys: () => Object.keys(localStorage),
    watch(listener) {
      const onStorage = (event: StorageEvent) => {
        if (event.storageArea === localStorage) listener(event.key, event.oldValue);
      };
      window.addEventListener("storage", onStorage);
      return () => window.removeEventListener("storage", onStorage);
    },
  };
}
