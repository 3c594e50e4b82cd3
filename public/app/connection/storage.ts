/** The part of `localStorage` that reads and writes one key; tests use a Map. */
export type KeyValue = {
  getItem(key: string): string | null;
  /** @throws DOMException where the browser's quota is exceeded */
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/**
 * Stores a value that the page can do without.
 * @param value null removes the key
 * @returns false if the browser has no space for it
 */
export function storeIfSpace(storage: KeyValue, key: string, value: string | null): boolean {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** The browser's own storage; null where settings or the device block it. */
function open(name: "localStorage" | "sessionStorage"): Storage | null {
  try {
    // Blocked storage is null in some browsers, and its getter throws in others.
    return globalThis[name] ?? null;
  } catch {
    return null;
  }
}

function createMemory(): KeyValue & { keys(): string[] } {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  };
}

/** `localStorage`; null where it is blocked. */
const sharedArea = open("localStorage");
const memory = createMemory();
/** `localStorage`, or if it is blocked, the page's memory. */
export const localStore: KeyValue = sharedArea ?? memory;
/** `sessionStorage`, or if it is blocked, the page's memory. */
export const tabStore: KeyValue = open("sessionStorage") ?? createMemory();

/** Sends messages to the other tabs of this browser. */
export type Channel<Message> = { post(message: Message): void; close(): void };

/** What all tabs of a browser share: a storage, and channels. */
export type SharedStorage = KeyValue & {
  keys(): string[];
  /**
   * Calls the listener with each key that another tab has changed; with null when the tab has
   * cleared everything.
   * @returns a function that unsubscribes
   */
  watch(listener: (key: string | null) => void): () => void;
  /** Opens the channel of this name, which receives the messages of the other tabs. */
  openChannel<Message>(name: string, onMessage: (message: Message) => void): Channel<Message>;
};

export function createBrowserStorage(): SharedStorage {
  return {
    getItem: (key) => localStore.getItem(key),
    setItem: (key, value) => localStore.setItem(key, value),
    removeItem: (key) => localStore.removeItem(key),
    keys: () => (sharedArea ? Object.keys(sharedArea) : memory.keys()),
    watch(listener) {
      const onStorage = (event: StorageEvent) => {
        if (event.storageArea === sharedArea) listener(event.key);
      };
      window.addEventListener("storage", onStorage);
      return () => window.removeEventListener("storage", onStorage);
    },
    openChannel(name, onMessage) {
      // Where storage is blocked, tabs share nothing, and some browsers throw here.
      const channel = sharedArea && new BroadcastChannel(name);
      channel?.addEventListener("message", ({ data }) => onMessage(data));
      return {
        post: (message) => channel?.postMessage(message),
        close: () => channel?.close(),
      };
    },
  };
}
