import { type Signal, signal } from "@preact/signals";
import { beforeEach, expect, test } from "bun:test";
import { ApiError } from "../../public/app/connection/api.ts";
import { eventsOf, receive, type Source } from "../../public/app/state/events/receive.ts";
import { Journal } from "../../public/app/state/load.ts";
import { emptyState, emptyView, type State } from "../../public/app/state/model/model.ts";
import { MyConversations } from "../../public/app/state/conversations/my-conversations.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Me, MyRoom, User } from "../../src/wire/models.ts";
import {
  makeMessage,
  makeRoom,
  ScriptedApi,
  ScriptedClock,
  timeOf,
  withLists,
} from "../support/scripted.ts";
import { showUsers } from "../support/shown-users.ts";

let script: ScriptedApi;
let clock: ScriptedClock;
let state: Signal<State>;
let journal: Journal;
let rooms: MyConversations;
let gone: string[];
beforeEach(() => {
  script = new ScriptedApi();
  clock = new ScriptedClock();
  state = signal(emptyState);
  journal = new Journal();
  gone = [];
  rooms = new MyConversations({
    api: withLists({ "GET /api/direct": [] }, script.api),
    clock,
    journal,
    state,
    onGone: (roomId) => void gone.push(roomId),
    receive: receiveSource,
  });
});

const shown = () => Object.keys(state.value.conversations ?? {}).toSorted();
const path = (id: string) => `/api/rooms/${id}`;
const isList = (path: string) => path.startsWith("/api/rooms?");
/** What was asked for after the first so many calls. */
const asked = (from: number) => script.paths.slice(from);
const answer = (n: number, body: unknown) => script.calls[n]?.answer(body);
const list = (...items: MyRoom[]) => ({ items, next: null });

function hear(event: unknown): void {
  journal.record(event as ServerEvent);
  receiveSource({ event: event as ServerEvent, now: 0 });
}
function receiveSource(source: Source): void {
  state.value = receive(state.value, source);
  for (const event of eventsOf(source)) rooms.onEvent(event);
  if ("route" in source) rooms.onResponse(source);
}
/** A call's response, with the events since its request. */
function respond(room: MyRoom, ...events: unknown[]): void {
  const route = "PATCH /api/rooms/:id/membership";
  const before = state.value;
  receiveSource({ route, input: {}, response: room, before, events: events as ServerEvent[] });
}
const added = (room: MyRoom) => hear({ type: "room_added", room });
const removed = (room_id: string, room_seq: number | null) =>
  hear({ type: "room_removed", room_id, room_seq });
const unread = (room_id: string, seq: number) =>
  hear({
    type: "unread",
    room_id,
    seq,
    message_id: `message-${seq}`,
    author_id: "ada",
    created_at: timeOf(seq),
    mention: false,
  });

/** The list has been loaded. */
async function start(...known: MyRoom[]): Promise<void> {
  rooms.load();
  await answer(0, list(...known));
}

test("a room that was left or joined while the list was under way stays as the event said", async () => {
  await start(makeRoom("a"), makeRoom("b"), makeRoom("back"));
  rooms.load();
  added(makeRoom("new", 2));
  removed("b", 3);
  removed("back", 3);
  added(makeRoom("back", 4));
  await answer(1, list(makeRoom("a"), makeRoom("b"), makeRoom("back")));
  expect(shown()).toEqual(["a", "back", "new"]);
  expect(asked(1).filter((item) => !isList(item))).toEqual([path("new")]);
  await answer(2, makeRoom("new", 2));
  expect([shown(), gone, asked(3)]).toEqual([["a", "back", "new"], [], []]);
});

test("events that came before there was a list are applied to it", async () => {
  rooms.load();
  removed("b", 3);
  unread("a", 2);
  await answer(0, list(makeRoom("a"), makeRoom("b")));
  expect(shown()).toEqual(["a"]);
  expect(state.value.conversations?.a?.membership?.unread).toBe(true);
});

test("a room that a list leaves out is loaded by itself before it is believed to be gone", async () => {
  await start(makeRoom("a"), makeRoom("moved"));
  rooms.load();
  await answer(1, list(makeRoom("a")));
  expect([shown(), asked(2)]).toEqual([["a", "moved"], [path("moved")]]);
  await answer(2, makeRoom("moved"));
  expect([shown(), gone]).toEqual([["a", "moved"], []]);
});

test("an answer about a room is not believed where I came or went meanwhile", async () => {
  await start(makeRoom("a"));
  unread("b", 2);
  expect(asked(1)).toEqual([path("b")]);
  added(makeRoom("b", 3));
  removed("b", 4);
  await answer(1, makeRoom("b", 3));
  expect([shown(), asked(2)]).toEqual([["a"], []]);
});

test("an answer about a room that is older than a list is asked for again", async () => {
  for (const endsAborted of [true, false]) {
    state.value = emptyState;
    script.calls.length = 0;
    script.endsAborted = endsAborted;
    await start(makeRoom("a"));
    unread("b", 2);
    rooms.load();
    await answer(1, makeRoom("b", 2, { membership: null }));
    await answer(2, list(makeRoom("a"), makeRoom("b", 5)));
    expect([shown(), gone, asked(3)]).toEqual([["a", "b"], [], [path("b")]]);
    rooms.stop();
  }
});

test("a call's older answer does not bring a room back that I was taken out of", async () => {
  await start(makeRoom("a"));
  removed("a", 5);
  respond(makeRoom("a", 4), { type: "room_removed", room_id: "a", room_seq: 5 });
  expect([shown(), asked(1)]).toEqual([[], [path("a")]]);
  await script.calls[1]?.fail(new ApiError("room_not_found", "", 404));
  respond(makeRoom("a", 6));
  expect([shown(), asked(2)]).toEqual([["a"], []]);
});

test("a removal from before I was added again changes nothing", async () => {
  await start(makeRoom("a", 7));
  removed("a", 5);
  expect([shown(), asked(1)]).toEqual([["a"], []]);
});

test("messages name a room as the newest answer about it does", async () => {
  await start(makeRoom("a"), makeRoom("b"));
  const room_references = [{ room_id: "b", name: "b" }];
  const messages = [makeMessage(1, { room_references })];
  state.value = { ...state.value, views: { a: { ...emptyView, messages } } };
  respond(makeRoom("b", 2, { name: "renamed" }));
  const message = showUsers(state.value, state.value.views.a?.messages[0]);
  expect(message?.room_references[0]?.name).toBe("renamed");
});

test("a room's answer from before I took a new name shows the new one", async () => {
  const owner = { id: "ada", username: "ada", display_name: null, profile_version: 1 } as User;
  state.value = { ...state.value, me: { ...owner, version: 1 } as Me };
  await start(makeRoom("a", 1, { owner }));
  const user = { ...owner, display_name: "Countess", profile_version: 2, version: 2 };
  hear({ type: "me_updated", user });
  respond(makeRoom("a", 2, { owner }));
  expect(showUsers(state.value, state.value.conversations)?.a?.owner.display_name).toBe("Countess");
});

test("a late event of a room that I was taken out of asks for nothing", async () => {
  await start(makeRoom("a"));
  removed("a", 5);
  unread("a", 4);
  expect(asked(1)).toEqual([]);
});

test("an event that overtakes the one that adds me to a room again is not lost", async () => {
  await start(makeRoom("a"));
  removed("a", 5);
  hear({ type: "room_updated", room_id: "a", seq: 8, room: makeRoom("a", 8, { name: "new" }) });
  added(makeRoom("a", 7));
  expect([shown(), asked(1)]).toEqual([["a"], [path("a")]]);
  await answer(1, makeRoom("a", 8, { name: "new" }));
  expect(state.value.conversations?.a?.name).toBe("new");
});

test("an event of a room of mine that is not known loads it", async () => {
  await start(makeRoom("a"));
  for (const seq of [2, 3]) unread("b", seq);
  expect(asked(1)).toEqual([path("b")]);
  await answer(1, makeRoom("b", 3));
  // The second event came while the first request was under way.
  await answer(2, makeRoom("b", 3));
  expect([shown(), asked(3)]).toEqual([["a", "b"], []]);
});

test("a room is loaded where an event does not say what is unread in it", async () => {
  const mark = { last_read_at: timeOf(1), last_read_seq: 1, unread: true, mention_count: 1 };
  const membership = { ...mark, role: "member", notify: "all", version: 1, pinned_at: null };
  await start(makeRoom("a", 2, { membership: membership as MyRoom["membership"] }));
  const room_id = "a";
  hear({ type: "unread_changed", room_id, room_seq: 3, message_id: "x", is_deleted: true });
  expect(asked(1)).toEqual([path("a")]);
  await answer(1, makeRoom("a", 3));
  expect(state.value.conversations?.a?.membership).toMatchObject({
    unread: false,
    mention_count: 0,
  });
});

test("a room is loaded where a list does not say whether it includes a deleted message", async () => {
  await start(makeRoom("a", 3));
  rooms.load();
  const room_id = "a";
  hear({ type: "unread_changed", room_id, room_seq: 5, message_id: "x", is_deleted: true });
  // The deleted message is unread in the list, which is from before the deletion.
  const { membership } = makeRoom("a", 3);
  const unreadRoom = makeRoom("a", 4, { membership: { ...membership, unread: true } as never });
  await answer(1, list(unreadRoom));
  expect(asked(2)).toEqual([path("a")]);
  await answer(2, makeRoom("a", 5));
  expect(state.value.conversations?.a?.membership?.unread).toBe(false);
});

test("a room whose request failed is asked for again", async () => {
  await start(makeRoom("a"));
  unread("b", 2);
  await script.calls[1]?.fail(new ApiError("unavailable", "", 503));
  await clock.pass(1_000);
  expect(asked(2)).toEqual([path("b")]);
});
