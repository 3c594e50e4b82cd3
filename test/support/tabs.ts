import type { Locks } from "../../public/app/connection/ownership.ts";
import type { SharedStorage } from "../../public/app/connection/storage.ts";

type Listener = Parameters<SharedStorage["watch"]>[0];

/** What a tab of a browser has of that browser. */
export type Tab = {
  storage: SharedStorage;
  locks: Locks;
  /** Ends its process without any event in it. What it has stored or posted by then arrives. */
  kill(): void;
};

type Port = { name: string; receive(message: unknown): void };

/** A browser's storage, channels and Web Locks, for several tabs in one process. */
export class Tabs {
  readonly stored = new Map<string, string>();
  /** Whether there is no space for any value. */
  isFull = false;
  readonly #listeners = new Set<Listener>();
  readonly #ports = new Set<Port>();
  readonly #locks = createLocks();

  /** @param later runs what other tabs learn a little later, in this order */
  constructor(private readonly later: (work: () => void) => void = queueMicrotask) {}

  /** Clears the storage, as a tab that none of these is. */
  clear(): void {
    this.stored.clear();
    for (const listener of this.#listeners) listener(null);
  }

  open(): Tab {
    const own = new Set<Listener>();
    const ports = new Set<Port>();
    let isAlive = true;
    const notify = (key: string) => {
      const others = [...this.#listeners].filter((listener) => !own.has(listener));
      this.later(() => {
        for (const listener of others) if (this.#listeners.has(listener)) listener(key);
      });
    };
    const storage: SharedStorage = {
      getItem: (key) => this.stored.get(key) ?? null,
      setItem: (key, value) => {
        if (!isAlive) return;
        if (this.isFull) {
          throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
        }
        this.stored.set(key, value);
        notify(key);
      },
      removeItem: (key) => {
        if (isAlive && this.stored.delete(key)) notify(key);
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
      openChannel: (name, onMessage) => {
        const port: Port = { name, receive: (message) => onMessage(message as never) };
        ports.add(port);
        this.#ports.add(port);
        return {
          post: (message) => {
            if (!isAlive) return;
            const others = [...this.#ports].filter((other) => other !== port);
            const copy = structuredClone(message);
            this.later(() => {
              for (const other of others)
                if (other.name === name && this.#ports.has(other)) other.receive(copy);
            });
          },
          close: () => void this.#ports.delete(port),
        };
      },
    };
    const kill = () => {
      isAlive = false;
      for (const port of ports) this.#ports.delete(port);
      for (const listener of own) this.#listeners.delete(listener);
    };
    return { storage, locks: this.#locks, kill };
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
