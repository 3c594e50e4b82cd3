import { type Signal, signal } from "@preact/signals";
import { beforeEach, expect, test } from "bun:test";
import type { Api } from "../../public/app/connection/api.ts";
import { applyEvent } from "../../public/app/state/events/apply-event.ts";
import { emptyState, emptyView, ledgerOf, type State } from "../../public/app/state/model/model.ts";
import { receive } from "../../public/app/state/events/receive.ts";
import { Journal } from "../../public/app/state/load.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Me } from "../../src/wire/models.ts";
import { makeMessage, makeRoom, ScriptedApi, timeOf } from "../support/scripted.ts";
import { createMergingApi } from "../../public/app/state/store/client-store.ts";

const ada = { id: "ada", version: 1 } as Me;
const grace = { id: "grace", version: 1 } as Me;

let script: ScriptedApi;
let state: Signal<State>;
let teams: unknown[];
let journal: Journal;
let api: Api;
beforeEach(() => {
  script = new ScriptedApi();
  state = signal({ ...emptyState, me: ada });
  teams = [];
  journal = new Journal();
  api = createMergingApi(script.api, {
    state,
    journal,
    receive(source) {
      state.value = receive(state.value, source);
    },
    mergeTeam: (team) => void teams.push(team),
  });
});

test("a call merges its response before its caller has it", async () => {
  state.value = { ...state.value, conversations: {} };
  const call = api.call("POST /api/rooms/:id/join", { params: { id: "room" } });
  await script.calls[0]?.answer(makeRoom("room"));
  expect((await call).id).toBe("room");
  expect(Object.keys(state.value.conversations ?? {})).toEqual(["room"]);
});

test("a picture is gone from the account with the response that has no body", async () => {
  state.value = { ...state.value, me: { ...ada, avatar_url: "/old.webp" } };
  const call = api.call("DELETE /api/auth/me/avatar");
  await script.calls[0]?.answer(undefined);
  await call;
  expect(state.value.me?.avatar_url).toBeNull();
});

test("a message of a response that events may have passed is not shown", async () => {
  const message = makeMessage(1, { content: "old" });
  const views = (seq: number) => ({
    [message.room_id]: { ...emptyView, seq, messages: [message] },
  });
  const edit = async (seqAtResponse: number) => {
    state.value = { ...state.value, views: views(1) };
    const input = { params: { id: message.id }, body: { content: "new" } };
    const call = api.call("PATCH /api/messages/:id", input);
    state.value = { ...state.value, views: views(seqAtResponse) };
    await script.calls.at(-1)?.answer({ ...message, content: "new" });
    await call;
    return state.value.views[message.room_id]?.messages[0]?.content;
  };
  expect([await edit(1), await edit(2)]).toEqual(["new", "old"]);
});

test("a thread is followed or not as an event says that came during the call", async () => {
  const summary = { title: null, reply_count: 1, author_ids: ["ada"], is_resolved: false };
  const last = { last_reply_seq: 5, last_reply_at: timeOf(5) };
  const root = makeMessage(1, { id: "thread", thread: { ...summary, ...last } });
  const thread = { id: "thread", roomId: "room", root };
  const follow = async (event: object) => {
    state.value = { ...state.value, threads: {}, views: { thread: { ...emptyView, thread } } };
    const input = { params: { id: "thread" }, body: { is_following: true } };
    const call = api.call("PUT /api/messages/:id/thread/follow", input);
    journal.record(event as ServerEvent);
    await script.calls.at(-1)?.answer({ is_following: true, read_seq: 5, replied_seq: 0 });
    await call;
    return state.value.threads?.thread !== undefined;
  };
  const none = { is_following: false, read_seq: null, replied_seq: 0 };
  const event = { type: "thread_follow", thread_id: "other", ...none };
  expect(await follow(event)).toBe(true);
  expect(await follow({ ...event, thread_id: "thread" })).toBe(false);
  // The list that is loaded after a reconnect includes it.
  expect(await follow({ type: "hello" })).toBe(false);
});

test("a mark of a response moves a room's read mark back", async () => {
  state.value = { ...state.value, conversations: {} };
  const room = makeRoom("room", 5);
  state.value = applyEvent(state.value, { type: "room_added", room }, 0);
  const input = { params: { id: "room" }, body: { message_id: "message" } };
  const call = api.call("POST /api/rooms/:id/unread", input);
  const mark = ledgerOf(state.value, "room")?.mark;
  const unread = { unread: true, mention_count: 1, last_read_seq: 0 };
  await script.calls[0]?.answer({ ...mark, ...unread, version: 9, room_seq: 5 });
  await call;
  expect(state.value.conversations?.room?.membership?.mention_count).toBe(1);
});

test("a response for someone who has signed out brings only the team", async () => {
  const mine = api.call("POST /api/rooms/:id/join", { params: { id: "room" } });
  const team = api.call("GET /api/team");
  state.value = { ...emptyState, me: grace };
  await script.calls[0]?.answer(makeRoom("room"));
  await script.calls[1]?.answer({ name: "Snug", version: 1 });
  await Promise.all([mine, team]);
  expect(teams).toEqual([{ name: "Snug", version: 1 }]);
  expect(state.value).toEqual({ ...emptyState, me: grace });
});
