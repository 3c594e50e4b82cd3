import { effect } from "@preact/signals";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ApiError, createForm } from "../../public/app/connection/api.ts";
import type { SendFile } from "../../public/app/connection/upload.ts";
import { Uploads } from "../../public/app/state/composer/uploads.ts";
import { PERSON_KEY } from "../../public/app/state/store/signed-in-person.ts";
import type { Store } from "../../public/app/state/store/client-store.ts";
import type { Client } from "../support/client.ts";
import { Gate } from "../support/gate.ts";
import { openRoom, openStore, until } from "../support/store.ts";
import { type Tab, Tabs } from "../support/tabs.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let roomId: string;
beforeAll(async () => {
  world = await World.start();
  [ada, bob] = await Promise.all([world.person("ada"), world.person("bob")]);
  roomId = await world.room("hall", ada, [bob]);
});
afterAll(() => world.stop());

/** A tab of a browser whose session is that of `jar`, which may change, and its open sockets. */
function open(
  jar: { cookie: string },
  tab?: Tab,
  gate = new Gate(),
): { store: Store; sockets: WebSocket[] } {
  const sockets: WebSocket[] = [];
  const watch = (socket: WebSocket) => void sockets.push(socket);
  const store = openStore(
    () => world.service.address,
    () => jar.cookie,
    watch,
    tab,
    undefined,
    (path, send) => gate.pass(path, send),
  );
  return { store, sockets };
}

/** The messages of the room, each with its author's id. */
async function written(): Promise<{ content: string; author: string }[]> {
  const { body } = await ada.call("GET", `/api/rooms/${roomId}/messages`);
  const items = body.items as { content: string; author: { id: string } }[];
  return items.map(({ content, author }) => ({ content, author: author.id }));
}

const jarOf = (person: Client) => ({ cookie: person.cookie ?? "" });

test("two tabs write at the same time, and each message is stored once, in order", async () => {
  const browser = new Tabs();
  const jar = jarOf(await world.signIn(ada.user));
  const tabs = [open(jar, browser.open()), open(jar, browser.open())];
  for (const { store } of tabs) await openRoom(store, roomId);
  const texts = Array.from({ length: 20 }, (_, i) => `tab ${i % 2}, ${i}`);
  for (const [i, text] of texts.entries()) tabs[i % 2]?.store.outbox?.add(roomId, text);
  for (const { store } of tabs) await until(store, (_, outbox) => outbox.length === 0);
  const contents = (await written()).map(({ content }) => content);
  expect(contents.toSorted()).toEqual(texts.toSorted());
  for (const index of [0, 1]) {
    const own = (text: string) => text.startsWith(`tab ${index}`);
    expect(contents.filter(own)).toEqual(texts.filter(own));
  }
  for (const { store } of tabs) store.close();
});

test("what waits in a tab of one person is never sent as another, and goes out once that person is back", async () => {
  const browser = new Tabs();
  const jar = jarOf(await world.signIn(ada.user));
  const { store, sockets } = open(jar, browser.open());
  await openRoom(store, roomId);
  // The tab sleeps, and meanwhile Bob signs in in this browser.
  const socket = sockets.at(-1) as WebSocket;
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.close();
  await closed;
  store.outbox?.add(roomId, "only as ada");
  jar.cookie = bob.cookie ?? "";
  store.reconnectNow();
  await until(store, () => store.phase.value === "replaced");
  expect([store.unsent.value, store.state.value.conversations]).toEqual([[], null]);

  const bobs = open(jar, browser.open()).store;
  await openRoom(bobs, roomId);
  expect(bobs.unsent.value).toEqual([]);
  bobs.outbox?.add(roomId, "as bob");
  await until(bobs, (_, outbox) => outbox.length === 0);
  bobs.close();

  jar.cookie = (await world.signIn(ada.user)).cookie ?? "";
  const back = open(jar, browser.open()).store;
  await openRoom(back, roomId);
  await until(back, (_, outbox) => outbox.length === 0);
  back.close();
  const both = ["only as ada", "as bob"];
  expect((await written()).filter(({ content }) => both.includes(content))).toEqual([
    { content: "as bob", author: bob.user.id },
    { content: "only as ada", author: ada.user.id },
  ]);
});

test("whatever a tab of one person sends with another's session is refused, and stops it", async () => {
  const calls: ((store: Store) => Promise<unknown>)[] = [
    ({ call }) => call("GET /api/drafts"),
    ({ call }) =>
      call("PUT /api/drafts", {
        body: { room_id: roomId, base_version: 0, content: "Ada's draft" },
      }),
    ({ call }) => call("POST /api/rooms/:id/read", { params: { id: roomId }, body: {} }),
    // The session has ended, and the page asks why its socket was closed.
    ({ call }) => call("GET /api/auth/me/second-factor"),
    ({ call }) => call("POST /api/auth/logout"),
    ({ api }) => {
      const send: SendFile = async (path, file, { headers }) => {
        const { status, body } = await bob.call("POST", path, createForm(file), headers);
        throw new ApiError(body.code, body.detail, status);
      };
      const uploads = new Uploads(api, send);
      const { promise, reject } = Promise.withResolvers<void>();
      uploads.list.subscribe(([upload]) => upload?.problem && reject(upload.problem));
      void uploads.add(roomId, [new File(["Ada's"], "a.txt")]);
      return promise;
    },
  ];
  for (const call of calls) {
    const jar = jarOf(await world.signIn(ada.user));
    const { store } = open(jar);
    await openRoom(store, roomId);
    jar.cookie = bob.cookie ?? "";
    await expect(call(store)).rejects.toMatchObject({ code: "user_mismatch" });
    expect([store.phase.value, store.state.value.conversations]).toEqual(["replaced", null]);
    // What was begun before, and is sent later, has no other person either.
    await expect(call(store)).rejects.toMatchObject({ code: "user_mismatch" });
  }
  expect((await bob.get("/api/drafts")).body.items).toEqual([]);
});

test("a socket that turns out to be another person's is sent nothing", async () => {
  const jar = jarOf(await world.signIn(ada.user));
  const { store, sockets } = open(jar);
  await openRoom(store, roomId);
  const first = sockets.at(-1) as WebSocket;
  const closed = new Promise((resolve) => first.addEventListener("close", resolve));
  first.close();
  await closed;
  store.outbox?.add(roomId, "only as ada, too");
  jar.cookie = bob.cookie ?? "";
  store.reconnectNow();
  const second = sockets.at(-1) as WebSocket;
  expect(second).not.toBe(first);
  const sent: unknown[] = [];
  second.send = (data) => void sent.push(data);
  const isReady = new Promise((resolve) => second.addEventListener("message", resolve));
  store.typing(roomId);
  effect(() => {
    if (store.status.value === "open") store.typing(roomId);
  });
  await isReady;
  await until(store, () => store.phase.value === "replaced");
  expect(sent).toEqual([]);
});

test("a tab that slept while another person signed in stops when it is looked at", async () => {
  const browser = new Tabs();
  const jar = jarOf(await world.signIn(ada.user));
  const gate = new Gate();
  const { store } = open(jar, browser.open(), gate);
  await openRoom(store, roomId);
  await gate.idle();
  jar.cookie = bob.cookie ?? "";
  browser.stored.set(PERSON_KEY, bob.user.id);
  store.reconnectNow();
  await until(store, () => store.phase.value === "replaced");
});

test("a tab stops when another person signs in in a tab beside it", async () => {
  const browser = new Tabs();
  const jar = jarOf(await world.signIn(ada.user));
  const { store } = open(jar, browser.open());
  await openRoom(store, roomId);
  const beside = open(jar, browser.open()).store;
  await beside.start();
  jar.cookie = bob.cookie ?? "";
  const keys = [`snug.searches.${ada.user.id}`, "snug.room", `snug.searches.${bob.user.id}`];
  for (const key of keys) browser.stored.set(key, "x");
  // As the forms for signing in and up do, over a session that is alive.
  beside.enter((await bob.get("/api/auth/me")).body);
  expect(keys.map((key) => browser.stored.has(key))).toEqual([false, false, true]);
  await until(store, () => store.phase.value === "replaced");
  await until(beside, (state) => state.conversations?.[roomId] !== undefined);
  expect([beside.phase.value, beside.me.value?.username]).toEqual(["signed-in", "bob"]);
  beside.outbox?.add(roomId, "bob beside");
  await until(beside, (_, outbox) => outbox.length === 0);
  expect((await written()).at(-1)).toEqual({ content: "bob beside", author: bob.user.id });
  beside.close();
});

test("a tab that learns first that another person has signed in leaves theirs alone", async () => {
  const browser = new Tabs();
  const jar = jarOf(await world.signIn(ada.user));
  const { store } = open(jar, browser.open());
  await openRoom(store, roomId);
  const keys = [ada, bob].map(({ user }) => `snug.searches.${user.id}`);
  for (const key of keys) browser.stored.set(key, "x");
  // Before the other tab has noted who it is.
  jar.cookie = bob.cookie ?? "";
  browser.open().storage.setItem(PERSON_KEY, `${ada.user.id} `);
  await until(store, () => store.phase.value === "replaced");
  expect(keys.map((key) => browser.stored.has(key))).toEqual([false, true]);
});

test("a page that was kept of one person opens as the person who is signed in", async () => {
  const browser = new Tabs();
  const jar = jarOf(await world.signIn(ada.user));
  const first = open(jar, browser.open()).store;
  await openRoom(first, roomId);
  let storedValue: unknown = null;
  const snapshots = {
    load: async () => storedValue,
    save: async (snapshot: object) => {
      storedValue = snapshot;
    },
    clear: async () => {
      storedValue = null;
    },
  };
  const keeping = openStore(
    () => world.service.address,
    () => jar.cookie,
    () => {},
    browser.open(),
    snapshots,
  );
  await openRoom(keeping, roomId);
  // What a restored page lacks it requests at once, and may be refused before it meets the socket.
  await until(keeping, ({ threads, personal }) => threads !== null && personal.sections !== null);
  await keeping.stored.save();
  expect(storedValue).not.toBeNull();
  for (const store of [first, keeping]) store.close();
  jar.cookie = bob.cookie ?? "";
  const { promise: greeted, resolve: greet } = Promise.withResolvers<void>();
  const next = openStore(
    () => world.service.address,
    () => jar.cookie,
    (socket) => socket.addEventListener("message", () => setImmediate(greet)),
    browser.open(),
    snapshots,
    // The stored page meets the other person's socket first.
    (path, send) => (path === "/api/auth/session" ? greeted.then(send) : send()),
  );
  const phases = new Set<string>();
  effect(() => void phases.add(next.phase.value));
  await next.start();
  await until(
    next,
    (state) => state.conversations?.[roomId] !== undefined && next.status.value === "open",
  );
  expect([...phases, next.me.value?.username]).toEqual(["starting", "signed-in", "bob"]);
  next.close();
});
