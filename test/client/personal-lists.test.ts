import { type Signal, signal } from "@preact/signals";
import { beforeEach, expect, test } from "bun:test";
import type { Api } from "../../public/app/connection/api.ts";
import { eventsOf, receive, type Source } from "../../public/app/state/events/receive.ts";
import { Journal } from "../../public/app/state/load.ts";
import { emptyState, type State } from "../../public/app/state/model/model.ts";
import { PendingChanges } from "../../public/app/state/pending-changes.ts";
import { withSaved } from "../../public/app/state/personal/personal.ts";
import { PersonalLists } from "../../public/app/state/store/personal-lists.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import { ScriptedApi, type ScriptedCall, ScriptedClock } from "../support/scripted.ts";
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
  const deps = { api, clock: new ScriptedClock(), journal, state, onMe() {} };
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

test("a change that fails is taken back", async () => {
  await load("b");
  const { call, done } = save("a");
  const failure = done.catch((error: Error) => error.message);
  expect(shown()).toEqual(["a", "b"]);
  await call.fail(new Error("refused") as never);
  expect(await failure).toBe("refused");
  expect(shown()).toEqual(["b"]);
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
