import { type Signal, signal } from "@preact/signals";
import { beforeEach, describe, expect, test } from "bun:test";
import type { Api } from "../../public/app/connection/api.ts";
import { eventsOf, receive, type Source } from "../../public/app/state/events/receive.ts";
import { Journal } from "../../public/app/state/load.ts";
import { emptyState, type State } from "../../public/app/state/model/model.ts";
import { PendingChanges } from "../../public/app/state/pending-changes.ts";
import { withSaved } from "../../public/app/state/personal/personal.ts";
import { PersonalLists } from "../../public/app/state/store/personal-lists.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { MyRoom } from "../../src/wire/models.ts";
import {
  makeMessage,
  makeRoom,
  ScriptedApi,
  type ScriptedCall,
  ScriptedClock,
  timeOf,
} from "../support/scripted.ts";
import { createMergingApi } from "../../public/app/state/store/client-store.ts";

let script: ScriptedApi;
let state: Signal<State>;
let journal: Journal;
let api: Api;
let lists: PersonalLists;
let pending: PendingChanges;
beforeEach(() => {
  script = new ScriptedApi();
  journal = new Journal();
  state = signal(emptyState);
  const target = { state, journal, receive: receiveSource, mergeTeam() {} };
  api = createMergingApi(script.api, target);
  const deps = { api, clock: new ScriptedClock(), journal, state, receive: receiveSource };
  lists = new PersonalLists(deps);
  pending = new PendingChanges(state);
});

function receiveSource(source: Source): void {
  const before = state.value;
  state.value = receive(before, source);
  for (const event of eventsOf(source)) lists.onEvent(before, event);
  if (!("event" in source)) lists.onResponse(before, source);
}
function hear(event: unknown): void {
  journal.record(event as ServerEvent);
  receiveSource({ event: event as ServerEvent, now: 0 });
}
const saved = (message_id: string, isSaved: boolean) =>
  hear({ type: "saved", message_id, saved: isSaved ? { done_at: null } : null });
const shown = () => [...(pending.shown.value.personal.saved?.ids ?? [])].sort();
const calls = (path: string) => script.calls.filter((call) => call.path.startsWith(path));
const answerList = (n: number, ...ids: string[]) =>
  calls("/api/saved/ids").at(n)?.answer({ ids, due_count: 0 });

async function load(...ids: string[]): Promise<void> {
  lists.loadWhole();
  await answerList(-1, ...ids);
}

/** Saves a message, as a screen does. */
function save(id: string): { call: ScriptedCall; done: Promise<unknown> } {
  const input = { params: { message_id: id }, body: {} };
  const done = pending.show(
    (now) => withSaved(now, id, true),
    () => api.call("PUT /api/saved/:message_id", input),
  );
  return { call: calls(`/api/saved/${id}`).at(-1) as ScriptedCall, done };
}

test("what has happened since the request is on top of its response", async () => {
  lists.loadWhole();
  saved("a", true);
  saved("b", false);
  expect(shown()).toEqual([]);
  await answerList(0, "b", "c");
  expect(shown()).toEqual(["a", "c"]);
});

test("what had happened before the request is in its response", async () => {
  await load();
  saved("a", true);
  lists.load();
  await answerList(-1);
  expect(shown()).toEqual([]);
});

test("a change is shown at once, and an event during it outranks its response", async () => {
  await load();
  const { call, done } = save("a");
  expect(shown()).toEqual(["a"]);
  saved("a", false);
  await call.answer({});
  await done;
  expect(shown()).toEqual([]);
});

test("a response that is older than the list that was loaded meanwhile does not stay", async () => {
  await load();
  const { call, done } = save("a");
  saved("a", true);
  // Its message is deleted, which is only in the list.
  hear({ type: "message_delete", room_id: "room", seq: 9, message_id: "a", created_at: "" });
  await answerList(-1);
  await answerList(-1);
  await call.answer({});
  await done;
  await answerList(-1);
  expect(shown()).toEqual([]);
});

test("a message that is deleted while it is being saved does not stay", async () => {
  await load();
  const { call, done } = save("a");
  hear({ type: "message_delete", room_id: "room", seq: 1, message_id: "a", created_at: "" });
  await call.answer({});
  await done;
  await answerList(1);
  expect(shown()).toEqual([]);
});

test("a message that is deleted while the list is loaded does not stay", async () => {
  lists.loadWhole();
  hear({ type: "message_delete", room_id: "room", seq: 1, message_id: "a", created_at: "" });
  await answerList(0, "a", "b");
  await answerList(1, "b");
  expect(shown()).toEqual(["b"]);
});

test("the list is asked for again when a message with replies is deleted", async () => {
  await load("a", "b");
  const message = makeMessage(1, { id: "a", deleted_at: timeOf(1) });
  hear({ type: "message_update", room_id: "room", seq: 1, message });
  await answerList(1, "b");
  // Members who do not have the room open receive it as an edit.
  const change = { kind: "room", room_id: "room", room_seq: 2, message_id: "b", is_deleted: false };
  hear({ type: "unread_changed", ...change });
  await answerList(2);
  expect(shown()).toEqual([]);
});

test("a change that fails is taken back", async () => {
  await load("b");
  const { call, done } = save("a");
  const failure = done.catch((error: Error) => error.message);
  expect(shown()).toEqual(["a", "b"]);
  await call.fail(new Error("refused") as never);
  expect(await failure).toBe("refused");
  expect(shown()).toEqual(["b"]);
});

const room = (seq: number, mention_count: number, last_read_seq = 0) =>
  makeRoom("room", seq, {
    membership: {
      ...(makeRoom("room").membership as NonNullable<MyRoom["membership"]>),
      ...{ unread: true, mention_count, last_read_seq, last_read_at: timeOf(last_read_seq) },
    },
  });
const mention = (seq: number) =>
  hear({
    type: "unread",
    room_id: "room",
    seq,
    message_id: `message-${seq}`,
    author_id: "ada",
    created_at: timeOf(seq),
    mention: true,
  });
const activity = (count: number, seq: number, reactions = 0) => ({
  read_at: timeOf(1),
  mentions: count === 0 ? [] : [{ room_id: "room", count, seq }],
  reactions,
});
const brought = (...unread: Parameters<typeof activity>) =>
  hear({ type: "activity_updated", unread: activity(...unread) });
const counted = () => state.value.personal.activity?.mentions[0]?.count ?? 0;

describe("what is new in my activity", () => {
  beforeEach(() => {
    const event = { type: "room_added", room: room(3, 1) } as const;
    state.value = receive({ ...state.value, conversations: {} }, { event, now: 0 });
  });

  test("does not count a mention twice that a list included before its event came", () => {
    brought(1, 5);
    mention(5);
    expect(counted()).toBe(1);
    mention(6);
    expect(counted()).toBe(2);
    expect(script.paths).toEqual([]);
  });

  test("is asked for again where a list may be from before a mention", () => {
    brought(0, 0);
    mention(5);
    brought(0, 0, 1);
    expect(script.paths).toEqual(["/api/activity/unread"]);
  });

  test("is asked for again where a response brings a mention", async () => {
    brought(0, 0);
    const call = api.call("POST /api/rooms/:id/join", { params: { id: "room" } });
    await script.calls[0]?.answer(room(9, 2));
    await call;
    expect(calls("/api/activity/unread")).toHaveLength(1);
  });

  test("is as an event says that came during the request", async () => {
    lists.refreshActivity();
    brought(0, 0, 1);
    await calls("/api/activity/unread")
      .at(-1)
      ?.answer(activity(0, 0, 0));
    expect(state.value.personal.activity?.reactions).toBe(1);
  });

  test("is asked for again where a mention came during the request", async () => {
    lists.refreshActivity();
    await calls("/api/activity/unread").at(-1)?.answer(activity(0, 0));
    const input = { body: { at: timeOf(2) } };
    const call = api.call("POST /api/activity/read", input);
    mention(5);
    await calls("/api/activity/read").at(-1)?.answer(activity(0, 0));
    await call;
    expect(calls("/api/activity/unread")).toHaveLength(2);
  });
});

test("reactions of a response are those that an event has brought since", async () => {
  const reactions = [{ emoji: "👍", count: 1, user_ids: ["bob"] }];
  const view = { seq: 1, loaded: true, messages: [{ id: "m", reactions: [] }] };
  state.value = { ...state.value, views: { room: view as never } };
  const input = { params: { id: "m" }, body: { emoji: "🎉" } };
  const call = api.call("POST /api/messages/:id/reactions", input);
  hear({ type: "reaction", room_id: "room", seq: 2, message_id: "m", reactions });
  await script.calls[0]?.answer({ reactions: [], active: true });
  await call;
  expect(state.value.views.room?.messages[0]?.reactions).toEqual(reactions);
});
