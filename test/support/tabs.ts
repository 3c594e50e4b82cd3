import type { Locks } from "../../public/app/connection/ownership.ts";
import type { SharedStorage } from "../../public/app/connection/storage.ts";

type Listener = Parameters<SharedStorage["watch"]>[0];

/** What a tab of a browser has of that browser. */
export type Tab = { storage: SharedStorage; locks: Locks };

/** A browser's storage and Web Locks, which Bun has not, for several tabs in one process. */
export class Tabs {
  readonly stored = new Map<string, string>();
  /** Whether there is no space for any value. */
  isFull = false;
  readonly #listeners = new Set<Listener>();
  readonly #locks = createLocks();

  /** Clears the storage, as a tab that none of these is. */
  clear(): void {
    this.stored.clear();
    for (const listener of this.#listeners) listener(null, null);
  }

  open(): Tab {
    const own = new Set<Listener>();
    const notify = (key: string, before: string | null) => {
      const others = [...this.#listeners].filter((listener) => !own.has(listener));
      // As in a browser, the others learn of it a little later.
      queueMicrotask(() => {
        for (const listener of others) if (this.#listeners.has(listener)) listener(key, before);
      });
    };
    const storage: SharedStorage = {
      getItem: (key) => this.stored.get(key) ?? null,
      setItem: (key, value) => {
        const before = this.stored.get(key) ?? null;
        if (this.isFull) {
          throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
        }
        this.stored.set(key, value);
        notify(key, before);
      },
      removeItem: (key) => {
        const before = this.stored.get(key) ?? null;
        if (this.stored.delete(key)) notify(key, before);
      },
      keys: () => [...this.stored.keys()],
      watch: (listener) => {
        own.add(listener);
        this.#listeners.add(listener);
        return () => {
          own.delete(listener);
          this.#listeners.delete(listener);
        };
      },
    };
    return { storage, locks: this.#locks };
  }
}

type Held = { reject(error: Error): void };

/** Exclusive locks as the Web Locks API has them, with `signal` and `steal`. */
function createLocks(): Locks {
  const held = new Map<string, Held>();
  const waiting = new Map<string, (() => void)[]>();
  const stolen = () => new DOMException("The lock was stolen.", "AbortError");
  const request = async (
    name: string,
    { signal, steal }: LockOptions,
    work: (lock: Lock) => unknown,
  ): Promise<unknown> => {
    await Promise.resolve();
    if (steal) held.get(name)?.reject(stolen());
    else if (held.has(name)) {
      await new Promise<void>((resolve, reject) => {
        waiting.set(name, [...(waiting.get(name) ?? []), resolve]);
        signal?.addEventListener("abort", () => {
          waiting.set(name, waiting.get(name)?.filter((item) => item !== resolve) ?? []);
          reject(stolen());
        });
      });
    }
    const lost = Promise.withResolvers<never>();
    const mine = { reject: lost.reject };
    held.set(name, mine);
    try {
      return await Promise.race([work({ name, mode: "exclusive" }), lost.promise]);
    } finally {
      if (held.get(name) === mine) {
        held.delete(name);
        waiting.get(name)?.shift()?.();
      }
    }
  };
  return { request } as Locks;
}
