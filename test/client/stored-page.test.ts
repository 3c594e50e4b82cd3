import { afterAll, beforeAll, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import type { Snapshots } from "../../public/app/connection/snapshots.ts";
import { emptyState } from "../../public/app/state/model/model.ts";
import { type Snapshot, StoredPage } from "../../public/app/state/store/stored-page.ts";
import type { Store } from "../../public/app/state/store/client-store.ts";
import type { Me } from "../../src/wire/models.ts";
import type { Client } from "../support/client.ts";
import { makeRoom, ScriptedClock } from "../support/scripted.ts";
import { openRoom, openStore, until } from "../support/store.ts";
import { Tabs } from "../support/tabs.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let room: string;
beforeAll(async () => {
  world = await World.start();
  [ada, bob] = await Promise.all([world.person("ada"), world.person("bob")]);
  room = await world.room("fireside", ada, [bob]);
});
afterAll(() => world.stop());

/** Storage in which a snapshot is held, and which answers a load when it is let. */
function slowSnapshots() {
  let stored: unknown = null;
  let answered = Promise.resolve();
  let cleared = 0;
  const snapshots: Snapshots = {
    load: () => answered.then(() => stored),
    async save(snapshot) {
      stored = structuredClone(snapshot);
    },
    async clear() {
      cleared += 1;
      stored = null;
    },
  };
  return {
    snapshots,
    /** From now on a load waits for the function that this returns. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      answered = promise;
      return resolve;
    },
    get cleared() {
      return cleared;
    },
  };
}

const open = (browser: Tabs, snapshots: Snapshots, client: Client, isOnline = true): Store =>
  openStore(
    () => world.service.address,
    () => client.cookie ?? "",
    () => {},
    browser.open(),
    snapshots,
    (_, send) => (isOnline ? send() : Promise.reject(new TypeError("no network"))),
  );

/** A browser in which ada's rooms are stored. */
async function browserOfAda() {
  const browser = new Tabs();
  const storage = slowSnapshots();
  const first = open(browser, storage.snapshots, ada);
  await openRoom(first, room);
  await first.stored.save();
  first.close();
  return { browser, storage };
}

test("a state that changes all the time is stored", async () => {
  const clock = new ScriptedClock();
  const state = signal({ ...emptyState, me: ada.user as Me, conversations: {} });
  const saved: Snapshot[] = [];
  const { snapshots } = slowSnapshots();
  const save = async (snapshot: Snapshot) => void saved.push(snapshot);
  const page = new StoredPage(state, { ...snapshots, save }, clock);
  for (let seq = 1; seq <= 6; seq += 1) {
    state.value = { ...state.value, conversations: { room: makeRoom("room", seq) } };
    page.saveSoon();
    await clock.pass(400);
  }
  const seqs = saved.map(({ conversations }) => conversations.room?.seq);
  expect(seqs).toEqual([3, 6]);
});

test("a page starts without what a storage that never answers holds", async () => {
  const { browser, storage } = await browserOfAda();
  storage.hold();
  const store = open(browser, storage.snapshots, ada);
  await store.start();
  await until(store, (state) => state.conversations?.[room] !== undefined);
  expect(store.phase.value).toBe("signed-in");
  store.close();
});

test("what a slow storage holds is shown late where there is no network", async () => {
  const { browser, storage } = await browserOfAda();
  const answer = storage.hold();
  const store = open(browser, storage.snapshots, ada, false);
  await store.start();
  expect(store.phase.value).toBe("unreachable");
  answer();
  await until(store, (state) => state.conversations?.[room] !== undefined);
  expect([store.phase.value, store.me.value?.username]).toEqual(["signed-in", "ada"]);
  store.close();
});

test("what a slow storage holds changes nothing once the service has answered", async () => {
  const { browser, storage } = await browserOfAda();
  const answer = storage.hold();
  const store = open(browser, storage.snapshots, bob);
  await store.start();
  answer();
  await until(store, (state) => state.conversations?.[room] !== undefined);
  expect(store.me.value?.username).toBe("bob");
  // It was ada's.
  expect(storage.cleared).toBeGreaterThan(0);
  store.close();
});

test("after someone has signed out nothing of them is shown, though it is still stored", async () => {
  const { browser, storage } = await browserOfAda();
  const { snapshots } = storage;
  const visitor = await world.signIn(ada.user);
  // Deleting never answers, as while a page is suspended.
  const stuck = { ...snapshots, clear: () => new Promise<void>(() => {}) };
  const store = open(browser, stuck, visitor);
  await store.start();
  await store.signOut();
  const next = open(browser, snapshots, visitor, false);
  await next.start();
  expect([next.phase.value, next.me.value]).toEqual(["unreachable", null]);
  expect(storage.cleared).toBe(1);
  next.close();
});

test("a page whose storage was turned off is not restored", async () => {
  const { browser, storage } = await browserOfAda();
  const store = open(browser, { ...storage.snapshots, clear: async () => {} }, ada);
  await store.start();
  await store.turnOffStorage();
  store.close();
  const next = open(browser, storage.snapshots, ada, false);
  await next.start();
  expect(next.phase.value).toBe("unreachable");
  next.close();
});
