import { del, get, set } from "idb-keyval";

/** Where the last known state is kept over a reload. */
export type Snapshots = {
  load(): Promise<unknown>;
  save(snapshot: object): Promise<void>;
  clear(): Promise<void>;
};

const KEY = "snapshot";

/** In the browser's own database; where there is none, nothing is kept. */
export const indexedDbSnapshots: Snapshots = {
  load: () => get<unknown>(KEY).catch(() => null),
  save: (snapshot) => set(KEY, snapshot).catch(() => {}),
  clear: () => del(KEY).catch(() => {}),
};
