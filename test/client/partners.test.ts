import { type Signal, signal } from "@preact/signals";
import { beforeEach, expect, test } from "bun:test";
import { directOf, toMembers } from "../../public/app/state/model/conversation.ts";
import { emptyState, type State, withView } from "../../public/app/state/model/model.ts";
import { MyConversations } from "../../public/app/state/conversations/my-conversations.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import { makeRoom, ScriptedApi, ScriptedClock, timeOf, withLists } from "../support/scripted.ts";
import { showUsers } from "../support/shown-users.ts";
import { withSomeMembers } from "../../public/app/state/events/apply-event.ts";
import type { Source } from "../../public/app/state/events/receive.ts";
import { Journal } from "../../public/app/state/load.ts";
import { LiveEvents } from "../../public/app/state/store/client-store.ts";
import { PersonalLists } from "../../public/app/state/store/personal-lists.ts";
import { MyThreads, ThreadSync } from "../../public/app/state/threads/thread-sync.ts";
import { RoomSync } from "../../public/app/state/timeline/room-sync.ts";

/** What the client knows of the people it has conversations with, who change while it is open. */

let script: ScriptedApi;
let state: Signal<State>;
let journal: Journal;
let live: LiveEvents;
let conversations: MyConversations;
beforeEach(() => {
  script = new ScriptedApi();
  const clock = new ScriptedClock();
  state = signal(emptyState);
  const api = withLists({ "GET /api/rooms": [] }, script.api);
  journal = new Journal();
  const receive = (source: Source) => live.receive(source);
  const common = { api, clock, journal, state, receive };
  conversations = new MyConversations({ ...common, onGone() {} });
  live = new LiveEvents({
    ...common,
    conversations,
    sync: new RoomSync({ ...common, send: () => false, onMissing() {} }),
    lists: new PersonalLists(common),
    threads: new MyThreads(common),
    thread: new ThreadSync({ ...common, onMissing() {} }),
  });
});

const user = (id: string, display_name = id) => ({
  id,
  username: id,
  display_name,
  avatar_url: null,
  is_bot: false,
  is_active: true,
  profile_version: display_name === id ? 1 : 2,
});
const member = (id: string, status: string, name?: string) => ({ user: user(id, name), status });
/** A conversation as the service answers it. */
const direct = (seq: number, ...members: object[]) => {
  const { membership } = makeRoom("d", seq);
  const { unread, last_read_at, last_read_seq, version } = membership as never;
  return {
    id: "d",
    kind: "group",
    members,
    created_at: timeOf(1),
    last_message_at: timeOf(seq),
    is_closed: false,
    seq,
    pin_count: 0,
    newest_pin: null,
    membership: {
      unread,
      last_read_at,
      last_read_seq,
      version,
      notify: "all",
      unread_count: 0,
      hidden_at: null,
      pinned_at: null,
    },
  };
};
const start = async (...members: object[]) => {
  conversations.load();
  await script.calls[0]?.answer({ items: [direct(3, ...members)], next: null });
};
const hear = (user_ids: string[] | null, members: object[] | null) => {
  const event = { type: "member_updated", room_id: "d", user_ids, members } as never as ServerEvent;
  journal.record(event);
  live.receive({ event, now: 0 });
};
const shown = () => {
  const place = showUsers(state.value, state.value.conversations?.d);
  const members = (place && directOf(place)?.members) ?? [];
  return members.map(({ user: { display_name }, status }) => `${display_name} ${status}`);
};

test("who is online, and a new name, are taken from the event without a request", async () => {
  await start(member("me", "online"), member("grace", "offline"), member("vera", "offline"));
  hear(["grace"], [member("grace", "online")]);
  expect(shown()).toEqual(["me online", "grace online", "vera offline"]);
  hear(["grace", "vera"], [member("grace", "online", "Grace H."), member("vera", "away")]);
  expect(shown()).toEqual(["me online", "Grace H. online", "vera away"]);
  expect(script.paths).toHaveLength(1);
  // What is heard stays when an older answer, with a lower number, is taken over.
  const before = state.value.conversations;
  hear(["grace"], [member("grace", "online", "Grace H.")]);
  expect(state.value.conversations).toBe(before);
});

test("is loaded where the event brings nobody, somebody unknown, or somebody who has left", async () => {
  await start(member("me", "online"), member("grace", "offline"));
  for (const [n, event] of [
    [1, [null, null]],
    [2, [["grace"], null]],
    [3, [["vera"], [member("vera", "online")]]],
    [4, [["grace"], []]],
  ] as const) {
    hear(event[0] as never, event[1] as never);
    expect(script.paths[n]).toBe("/api/direct/d");
    await script.calls[n]?.answer(direct(3 + n, member("me", "online"), member("grace", "online")));
    expect(shown()).toEqual(["me online", "grace online"]);
  }
});

test("what comes while an answer is under way is newer than it", async () => {
  await start(member("me", "online"), member("grace", "offline"));
  conversations.loadDirect("d");
  hear(["grace"], [member("grace", "online")]);
  // The answer was read before Grace came.
  await script.calls[1]?.answer(direct(3, member("me", "online"), member("grace", "offline")));
  expect(script.paths).toHaveLength(2);
  expect(shown()).toEqual(["me online", "grace online"]);
});

test("what comes while a call is under way is newer than its response", async () => {
  await start(member("me", "online"), member("grace", "offline"));
  const before = state.value;
  const event = { type: "member_updated", room_id: "d", user_ids: ["grace"] } as const;
  const heard = { ...event, members: [member("grace", "online")] } as never as ServerEvent;
  live.receive({ event: heard, now: 0 });
  live.receive({
    route: "PATCH /api/rooms/:id/membership",
    input: { params: { id: "d" }, body: { notify: "none" } },
    response: direct(3, member("me", "online"), member("grace", "offline")),
    before,
    events: [heard],
  });
  expect(shown()).toEqual(["me online", "grace online"]);
});

test("a response to a request from before a reconnect is asked for again", async () => {
  await start(member("me", "online"), member("grace", "online"));
  live.receive({
    route: "PATCH /api/rooms/:id/membership",
    input: { params: { id: "d" }, body: { notify: "none" } },
    response: direct(3, member("me", "online"), member("grace", "offline")),
    before: state.value,
    events: [{ type: "hello", user_id: "me", instance: "i", server_time: timeOf(9) }],
  });
  expect(script.paths[1]).toBe("/api/direct/d");
  await script.calls[1]?.answer(direct(3, member("me", "online"), member("grace", "online")));
  expect(shown()).toEqual(["me online", "grace online"]);
});

test("what comes while the list is under way is newer than the list", async () => {
  await start(member("me", "online"), member("grace", "offline"));
  conversations.load();
  hear(["grace"], [member("grace", "online")]);
  const older = direct(3, member("me", "online"), member("grace", "offline"));
  await script.calls[1]?.answer({ items: [older], next: null });
  expect(script.paths).toHaveLength(2);
  expect(shown()).toEqual(["me online", "grace online"]);
});

test("what comes before there is a list is newer than the list", async () => {
  conversations.load();
  hear(["grace"], [member("grace", "online")]);
  const older = direct(3, member("me", "online"), member("grace", "offline"));
  await script.calls[0]?.answer({ items: [older], next: null });
  expect(shown()).toEqual(["me online", "grace online"]);
});

test("an open conversation shows everyone as being in it since it began", async () => {
  await start(member("me", "online"), member("grace", "offline"));
  const place = state.value.conversations?.d;
  const facts = place && directOf(place);
  state.value = withView(state.value, "d", { members: facts ? toMembers(facts) : [] });
  const grace = { ...member("grace", "online"), role: "owner", joined_at: timeOf(2) };
  state.value = withSomeMembers(state.value, "d", new Set(["grace"]), [grace as never]);
  expect(state.value.views.d?.members).toEqual([
    { ...grace, role: "member", joined_at: timeOf(1) } as never,
    { ...member("me", "online"), role: "member", joined_at: timeOf(1) } as never,
  ]);
});
