import { del, get, set } from "idb-keyval";

/** Stores the last known state for the next load of the page. */
export type Snapshots = {
  load(): Promise<unknown>;
  save(snapshot: object): Promise<void>;
  clear(): Promise<void>;
};

const KEY = "snapshot";

/** Snapshots in IndexedDB; without it nothing is stored. */
export const indexedDbSnapshots: Snapshots = {
  load: () => get<unknown>(KEY).catch(() => null),
  save: (snapshot) => set(KEY, snapshot).catch(() => {}),
  clear: () => del(KEY).catch(() => {}),
};
