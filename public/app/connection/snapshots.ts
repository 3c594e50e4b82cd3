import { createStore, del, get, set, type UseStore } from "idb-keyval";

/** Stores the last known state for the next load of the page. None of it is certain to answer. */
export type Snapshots = {
  load(): Promise<unknown>;
  save(snapshot: object): Promise<void>;
  clear(): Promise<void>;
  /** Ends loads and saves that are under way: the page is hidden, and perhaps suspended. */
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
  // Not ended with the page: it is what someone leaves behind who signs out.
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
        // It is being committed already.
      }
    }
  },
};

/** Blocked storage throws at once, and a full one rejects. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
