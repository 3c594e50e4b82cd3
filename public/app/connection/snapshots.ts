import { createStore, del, get, set, type UseStore } from "idb-keyval";

/**
 * Stores the last known state for the next load of the page. Any of these calls may never settle.
 */
export type Snapshots = {
  load(): Promise<unknown>;
  save(snapshot: object): Promise<void>;
  clear(): Promise<void>;
  /** Aborts loads and saves in flight, because the page is hidden and perhaps suspended. */
  abort?(): void;
};

const KEY = "snapshot";
const openStore = createStore("keyval-store", "keyval");
const transactions = new Set<IDBTransaction>();

const trackedStore: UseStore = (mode, work) =>
  openStore(mode, (objects) => {
    const { transaction } = objects;
    transactions.add(transaction);
    for (const end of ["complete", "abort"]) {
      transaction.addEventListener(end, () => transactions.delete(transaction));
    }
    return work(objects);
  });

/** Snapshots in IndexedDB; without it nothing is stored. */
export const indexedDbSnapshots: Snapshots = {
  load: () => attempt(() => get<unknown>(KEY, trackedStore)),
  save: (snapshot) => attempt(() => set(KEY, snapshot, trackedStore)),
  // Not aborted with the page: otherwise data of someone who signed out could stay behind.
  clear: () => attempt(() => del(KEY, openStore)),
  /**
   * WebKit suspends a page in its back/forward cache together with its transactions, and those of the
   * next page wait for them without end (github.com/jakearchibald/idb-keyval/issues/180).
   */
  abort() {
    for (const transaction of transactions) {
      try {
        transaction.abort();
      } catch {
        // The transaction is already committing.
      }
    }
  },
};

/** Blocked storage throws at once, and full storage rejects. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
