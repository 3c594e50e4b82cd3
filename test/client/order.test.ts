import { directOf } from "../../public/app/state/model/conversation.ts";
import { effect } from "@preact/signals";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { applyEvent } from "../../public/app/state/events/apply-event.ts";
import type { RoomView, State } from "../../public/app/state/model/model.ts";
import type { Store } from "../../public/app/state/store/client-store.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Client } from "../support/client.ts";
import { Gate } from "../support/gate.ts";
import { showUsers } from "../support/shown-users.ts";
import { openStore, until } from "../support/store.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let gate: Gate;
let store: Store;
let sockets: WebSocket[];
let rooms: string[];
let count = 0;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
});
afterAll(() => world.stop());
beforeEach(async () => {
  const n = count++;
  bob = await world.person(`bob-${n}`);
  rooms = [];
  for (const name of ["a", "b"]) rooms.push(await world.room(`${name}-${n}`, ada, [bob]));
  gate = new Gate();
  sockets = [];
  store = openStore(
    () => bob.base,
    bob.cookie as string,
    (socket) => sockets.push(socket),
    undefined,
    undefined,
    (path, send) => gate.pass(path, send),
  );
});
afterEach(() => store.close());

const [A, B] = [() => rooms[0] as string, () => rooms[1] as string];
const waitFor = (holds: (state: State) => boolean) => until(store, holds);
const membership = (id: string, state = store.state.value) => state.conversations?.[id]?.membership;
const texts = (id: string, state = store.state.value) =>
  state.views[id]?.messages.map(({ content }) => content) ?? [];
const isList = (path: string) => path.startsWith("/api/rooms?");

/** Starts the page; it is connected, and all that it loads at first has come. */
async function start(): Promise<void> {
  await store.start();
  await waitFor((state) => state.conversations !== null && store.status.value === "open");
  await gate.idle();
}

async function openRoom(id: string): Promise<void> {
  store.sync.open(id);
  await waitFor(({ views }) => views[id]?.loaded === true && views[id].seq !== null);
}

/** Loses the connection, and finds it again. */
async function reconnect(): Promise<void> {
  const socket = sockets.at(-1) as WebSocket;
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.close();
  await closed;
  store.reconnectNow();
}

/** Waits until the page has heard all that was sent to Bob until now. */
async function heard(): Promise<void> {
  const display_name = `Bob ${crypto.randomUUID()}`;
  await bob.patch("/api/auth/me", { display_name });
  await waitFor((state) => state.me?.display_name === display_name);
}

describe("a list of rooms that lands late", () => {
  const lists = {
    "at the first load": () => store.start(),
    "after a lost connection": async () => {
      gate.open();
      await start();
      gate.hold(isList);
      await reconnect();
    },
  };

  test.each(Object.entries(lists))("keeps what was heard meanwhile: %s", async (_, load) => {
    const removed = await world.room(`removed-${count}`, ada, [bob]);
    const read = await world.room(`read-${count}`, ada, [bob]);
    await ada.say(A(), `@bob-${count - 1}, before`);
    const last = await ada.say(read, `@bob-${count - 1}, before`);
    gate.hold(isList);
    await load();
    await gate.held(1);
    await until(store, () => store.status.value === "open");
    await ada.say(A(), `@bob-${count - 1}, meanwhile`);
    await ada.patch(`/api/rooms/${B()}`, { name: `renamed-${count}` });
    // A newer answer about the same room, which the list must not take the place of.
    await bob.patch(`/api/rooms/${B()}/membership`, { notify: "mentions" });
    const { promise: isRemoved, resolve: remove } = Promise.withResolvers<void>();
    store.onEvent((event) => {
      if (event.type === "room_removed" && event.room_id === removed) remove();
    });
    await ada.delete(`/api/rooms/${removed}/members/${bob.user.id}`);
    await bob.post(`/api/rooms/${read}/read`, { message_id: last.id });
    const added = await world.room(`added-${count}`, ada, [bob]);
    await heard();
    // By way of the room's log, and so in no order with signals about Bob.
    await isRemoved;
    let wasShown = false;
    const stop = effect(() => {
      wasShown ||= store.state.value.conversations?.[removed] !== undefined;
    });
    gate.open();
    await waitFor((state) => state.conversations?.[added] !== undefined);
    await waitFor((state) => membership(A(), state)?.mention_count === 2);
    await gate.idle();
    expect(membership(A())).toMatchObject({ unread: true, mention_count: 2 });
    expect(membership(read)).toMatchObject({ unread: false, mention_count: 0 });
    expect(store.state.value.conversations?.[B()]?.name).toBe(`renamed-${count}`);
    expect(membership(B())?.notify).toBe("mentions");
    stop();
    expect(wasShown).toBe(false);
  });

  test("does not take the place of a newer one", async () => {
    await start();
    gate.hold(isList);
    await reconnect();
    await gate.held(1);
    await ada.say(A(), `@bob-${count - 1}`);
    await reconnect();
    await gate.held(2);
    gate.open(1);
    await waitFor((state) => membership(A(), state)?.mention_count === 1);
    gate.open();
    await gate.idle();
    expect(membership(A())).toMatchObject({ unread: true, mention_count: 1 });
  });
});

test("me stays as it was heard, when an older answer lands", async () => {
  await start();
  gate.hold((path) => path === "/api/auth/me");
  await reconnect();
  await gate.held(1);
  await bob.patch("/api/auth/me", { theme: "sunset", display_name: "Countess" });
  await waitFor((state) => state.me?.theme === "sunset");
  gate.open();
  await gate.idle();
  expect(store.me.value).toMatchObject({ theme: "sunset", display_name: "Countess" });
});

test("a member list that lands late leaves nobody online", async () => {
  await start();
  const socket = await ada.socket();
  await openRoom(A());
  const status = (state: State) =>
    state.views[A()]?.members?.find(({ user }) => user.id === ada.user.id)?.status;
  const stop = store.sync.members.watch(A());
  await waitFor((state) => status(state) === "online");
  gate.hold((path) => path.includes("/members"));
  store.sync.members.renew(A());
  await gate.held(1);
  await ada.patch("/api/auth/me", { appear_offline: true });
  await heard();
  gate.open();
  await waitFor((state) => status(state) === "offline");
  await gate.idle();
  expect(status(store.state.value)).toBe("offline");
  await ada.patch("/api/auth/me", { appear_offline: false });
  stop();
  socket.close();
});

test("someone who is added is shown without a request", async () => {
  await start();
  await openRoom(A());
  const stop = store.sync.members.watch(A());
  await waitFor(({ views }) => views[A()]?.members?.length === 2);
  // A person of an event that arrives during a request is requested again.
  await gate.idle();
  gate.paths.length = 0;
  const carol = await world.person(`carol-${count}`);
  await ada.post(`/api/rooms/${A()}/members`, { user_id: carol.user.id });
  await waitFor(({ views }) => views[A()]?.members?.length === 3);
  const match = store.state.value.views[A()]?.members?.find(
    ({ user }) => user.id === carol.user.id,
  );
  const { body } = await ada.get(`/api/rooms/${A()}/members?user_ids=${carol.user.id}`);
  expect(match).toEqual(body.items[0]);
  expect(gate.paths.filter((path) => path.includes("/members"))).toEqual([]);
  stop();
});

test("a new name is shown where the list of members is not", async () => {
  await ada.say(A(), "who am I?");
  await start();
  await openRoom(A());
  const shown = () => showUsers(store.state.value, store.state.value);
  const name = () => shown().views[A()]?.messages[0]?.author.display_name;
  await ada.patch("/api/auth/me", { display_name: `Live ${count}` });
  await waitFor(() => name() === `Live ${count}`);
  await openRoom(B());
  await ada.patch("/api/auth/me", { display_name: `Away ${count}` });
  store.sync.open(A());
  await waitFor(() => name() === `Away ${count}`);
  expect(shown().conversations?.[A()]?.owner.display_name).toBe(`Away ${count}`);
  store.sync.setHidden(true);
  await ada.patch("/api/auth/me", { display_name: `Hidden ${count}` });
  store.sync.setHidden(false);
  await waitFor(() => name() === `Hidden ${count}`);
});

test("a partner's new name stays, when an older answer about the conversation lands", async () => {
  const direct = (await ada.post("/api/direct", { user_ids: [bob.user.id] })).body.id;
  await start();
  const name = () => {
    const place = showUsers(store.state.value, store.state.value).conversations?.[direct];
    return place && directOf(place)?.members[0]?.user.display_name;
  };
  gate.hold((path) => path.startsWith("/api/direct"));
  await reconnect();
  await gate.held(1);
  await ada.patch("/api/auth/me", { display_name: `New ${count}` });
  await waitFor(() => name() === `New ${count}`);
  gate.open();
  await gate.idle();
  expect(name()).toBe(`New ${count}`);
});

test("a room's new name stays in messages, where an older list lands", async () => {
  await ada.say(A(), `see #b-${count - 1}`);
  await start();
  await openRoom(A());
  const name = () => {
    const message = store.state.value.views[A()]?.messages[0];
    return showUsers(store.state.value, message)?.room_references[0]?.name;
  };
  expect(name()).toBe(`b-${count - 1}`);
  gate.hold(isList);
  await reconnect();
  await gate.held(1);
  await ada.patch(`/api/rooms/${B()}`, { name: `new-name-${count}` });
  await waitFor(() => name() === `new-name-${count}`);
  gate.open();
  await gate.idle();
  expect(store.state.value.conversations?.[B()]?.name).toBe(`new-name-${count}`);
  expect(name()).toBe(`new-name-${count}`);
});

test("an older page brings no deleted message back, and loses no edit", async () => {
  const said = [];
  for (let n = 0; n < 60; n++) said.push(await ada.say(A(), `line ${n}`));
  await bob.post(`/api/rooms/${A()}/read`);
  await start();
  await openRoom(A());
  gate.hold((path) => path.includes("before="));
  const more = store.sync.history.loadMore(A(), "before");
  await gate.held(1);
  await ada.delete(`/api/messages/${said[3]?.id}`);
  await ada.patch(`/api/messages/${said[4]?.id}`, { content: "edited" });
  const last = await ada.say(A(), "live");
  // What happens is shown at once, while the page is under way.
  await waitFor((state) => texts(A(), state).at(-1) === "live");
  gate.open();
  await more;
  expect(texts(A())).not.toContain("line 3");
  expect(texts(A()).slice(2, 5)).toEqual(["line 2", "edited", "line 5"]);
  expect(store.state.value.views[A()]?.seq).toBe(last.seq);
});

test("more history comes where the first message that is known was just deleted", async () => {
  const said = [];
  for (let n = 0; n < 60; n++) said.push(await ada.say(A(), `line ${n}`));
  await bob.post(`/api/rooms/${A()}/read`);
  await start();
  await openRoom(A());
  store.sync.setHidden(true);
  await ada.delete(`/api/messages/${said[10]?.id}`);
  await ada.delete(`/api/messages/${said[11]?.id}`);
  await store.sync.history.loadMore(A(), "before");
  expect(store.state.value.views[A()]).toMatchObject({ stuck: null, hasBefore: false });
  store.sync.setHidden(false);
  await waitFor((state) => texts(A(), state).length === 58);
  expect(texts(A()).slice(9, 11)).toEqual(["line 9", "line 12"]);
});

test("an event of a type that is not known moves the number, and changes nothing", async () => {
  await start();
  await openRoom(A());
  const before = store.state.value;
  const seq = (before.views[A()]?.seq ?? 0) + 1;
  const poll = { type: "poll", room_id: A(), seq } as unknown as ServerEvent;
  const after = applyEvent(before, poll, 0);
  expect(after.views[A()]).toEqual({ ...before.views[A()], seq } as RoomView);
  expect(after.conversations).toBe(before.conversations);
});

test("a room does not wait for the history of the one before it", async () => {
  await start();
  gate.hold((path) => path.includes(`${A()}/messages`));
  store.sync.open(A());
  await gate.held(1);
  await openRoom(B());
  await ada.say(B(), "live");
  await waitFor((state) => texts(B(), state).includes("live"));
});

test("a history that lands while its room is being joined leaves no message out", async () => {
  await start();
  gate.hold((path) => path.includes(`${A()}/messages`));
  const history = store.sync.history.load(A());
  await gate.held(1);
  await ada.say(A(), "before the join");
  await heard();
  store.sync.open(A());
  gate.open();
  await history;
  await waitFor((state) => texts(A(), state).includes("before the join"));
});

test("a number that is heard from elsewhere passes over no message", async () => {
  await start();
  await openRoom(A());
  await ada.say(A(), "ten");
  await waitFor((state) => texts(A(), state).includes("ten"));
  await openRoom(B());
  await ada.say(A(), "eleven");
  await ada.say(A(), "twelve");
  await ada.patch(`/api/rooms/${A()}`, { description: "thirteen" });
  await waitFor((state) => state.conversations?.[A()]?.description === "thirteen");
  store.sync.open(A());
  await waitFor((state) => texts(A(), state).includes("twelve"));
  expect(texts(A())).toEqual(["ten", "eleven", "twelve"]);
});

test("a refused join of the room before leaves the one that is looked at", async () => {
  await start();
  await ada.delete(`/api/rooms/${A()}/members/${bob.user.id}`);
  store.sync.open(A());
  store.sync.open(B());
  await waitFor(({ views }) => views[B()]?.loaded === true);
  await heard();
  expect(store.sync.roomId).toBe(B());
});

test("a room is joined again where a join was refused after an earlier one was answered", async () => {
  await start();
  await openRoom(A());
  const { promise, resolve } = Promise.withResolvers<void>();
  sockets.at(-1)?.addEventListener("message", ({ data }) => {
    if (JSON.parse(String(data)).type === "joined") resolve();
  });
  // As where a page was hidden and shown often: refusals overtake the answers to frames before.
  store.sync.onError({ type: "error", code: "rate_limited", detail: "", room_id: A() });
  await promise;
});
