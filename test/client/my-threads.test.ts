import { type Signal, signal } from "@preact/signals";
import { beforeEach, expect, test } from "bun:test";
import { applyEvent } from "../../public/app/state/events/apply-event.ts";
import { emptyState, type State } from "../../public/app/state/model/model.ts";
import { receive, type Source } from "../../public/app/state/events/receive.ts";
import { countUnreadThreads } from "../../public/app/state/model/follows.ts";
import { Journal } from "../../public/app/state/load.ts";
import { MyThreads, ThreadSync } from "../../public/app/state/threads/thread-sync.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Me, Thread } from "../../src/wire/models.ts";
import { makeMessage, makeRoom, ScriptedApi, ScriptedClock, timeOf } from "../support/scripted.ts";

let script: ScriptedApi;
let state: Signal<State>;
let journal: Journal;
let mine: MyThreads;
let open: ThreadSync;
beforeEach(() => {
  script = new ScriptedApi();
  state = signal({ ...emptyState, me: { id: "ada" } as Me, conversations: {} });
  const clock = new ScriptedClock();
  journal = new Journal();
  const merge = (source: Source) => {
    state.value = receive(state.value, source);
  };
  const deps = { api: script.api, clock, journal, state, receive: merge };
  mine = new MyThreads(deps);
  open = new ThreadSync({ ...deps, onMissing() {} });
  hear({ type: "room_added", room: makeRoom("room") });
});

function hear(event: unknown): void {
  journal.record(event as ServerEvent);
  state.value = applyEvent(state.value, event as ServerEvent, 0);
  mine.onChange(event as ServerEvent);
  open.onEvent(event as ServerEvent);
}

const summary = (last_reply_seq: number): Thread => ({
  title: null,
  reply_count: 1,
  author_ids: ["ada"],
  last_reply_seq,
  is_resolved: false,
  last_reply_at: timeOf(last_reply_seq),
});
const root = (lastReply: number) => makeMessage(1, { id: "thread", thread: summary(lastReply) });
/** What the service has of the thread. */
const follow = (read_seq: number, replied_seq = 0) => ({
  is_following: true,
  read_seq,
  replied_seq,
});
const list = (...follows: ReturnType<typeof follow>[]) => ({
  items: follows.map((follow) => ({ root: root(10), follow: follow })),
  next: null,
});
const page = (seq: number, mine: object) => ({
  root: root(10),
  items: [],
  has_more_before: false,
  has_more_after: false,
  follow: mine,
  seq,
});
const answer = (n: number, body: unknown) => script.calls[n]?.answer(body);
const asked = (from: number) => script.paths.slice(from);
const followed = () => state.value.threads?.thread;
const LIST = "/api/threads?filter=following&limit=100";

/** My own reply. */
const replied = (seq: number) =>
  hear({
    type: "message",
    room_id: "room",
    seq,
    root_thread: summary(10),
    message: makeMessage(seq, { thread_id: "thread" }),
  });
const removed = (seq: number) => hear({ type: "room_removed", room_id: "room", room_seq: seq });
const added = (seq: number) => hear({ type: "room_added", room: makeRoom("room", seq) });
const noted = (type: "member_added" | "member_removed", seq: number) =>
  hear({ type, room_id: "room", seq, user_id: "ada", actor_id: null });

/** The list has been loaded. */
async function start(...follows: ReturnType<typeof follow>[]): Promise<void> {
  mine.load();
  await answer(0, list(...follows));
}

test("my reply from before I left a room, heard after I am in it again, follows nothing", async () => {
  await start(follow(10, 10));
  removed(11);
  added(12);
  expect(followed()).toBeUndefined();
  replied(10);
  expect([followed(), asked(1)]).toEqual([undefined, [LIST]]);
  await answer(1, list());
  expect([followed(), asked(2)]).toEqual([undefined, []]);
});

test("my reply to a thread that I did not follow is found in an answer", async () => {
  await start();
  mine.load();
  replied(10);
  // The answer may be from before it.
  await answer(1, list());
  await answer(2, list(follow(10, 10)));
  expect(followed()).toMatchObject({ read_seq: 10, last_reply_seq: 10 });
  expect(asked(3)).toEqual([]);
});

test("a list from before I left a room and came back is loaded again", async () => {
  await start(follow(10, 10));
  mine.load();
  removed(11);
  added(12);
  await answer(1, list(follow(10, 10)));
  expect(asked(2)).toEqual([LIST]);
  await answer(2, list());
  expect([followed(), asked(3)]).toEqual([undefined, []]);
});

test("who was back in a room before hearing of the removal follows what the service says", async () => {
  await start(follow(9));
  added(12);
  replied(10);
  noted("member_removed", 11);
  noted("member_added", 12);
  expect(asked(1)).toEqual([LIST]);
  // It was followed again, and my reply from before does not move this mark.
  await answer(1, list(follow(4)));
  expect(followed()).toMatchObject({ read_seq: 4, replied_seq: 0 });
  expect(asked(2)).toEqual([]);
});

test("an open thread does the same, and another one is loaded when it is opened", async () => {
  const shown = (id: string) => state.value.views[id]?.thread;
  open.open("other", "room", null, null);
  await answer(0, page(9, follow(9)));
  open.open("thread", "room", null, null);
  await answer(1, page(9, follow(9)));
  replied(10);
  noted("member_removed", 11);
  noted("member_added", 12);
  expect([shown("other"), asked(2)]).toEqual([
    undefined,
    [LIST, "/api/messages/thread/thread?limit=50&around_read_mark=true"],
  ]);
  await answer(3, page(12, { is_following: false, read_seq: null, replied_seq: 0 }));
  expect(followed()).toBeUndefined();
});

test("a thread that is opened by a reply is that of its root, and receives replies", async () => {
  open.open("reply", "room", null, null);
  await answer(0, page(9, follow(9)));
  replied(10);
  const { thread, messages } = state.value.views.reply ?? {};
  expect([thread?.id, messages?.map(({ id }) => id)]).toEqual(["thread", ["message-10"]]);
});

test("an open thread is followed or not as the list that is loaded after a reconnect says", async () => {
  const isFollowing = () => followed() !== undefined;
  open.open("thread", "room", null, null);
  await answer(0, page(10, follow(9)));
  expect(isFollowing()).toBe(true);
  mine.load();
  await answer(1, list());
  expect(isFollowing()).toBe(false);
  mine.load();
  // It was followed meanwhile, and the list is from before that.
  hear({ type: "thread_follow", thread_id: "thread", ...follow(10) });
  await answer(2, list());
  expect(isFollowing()).toBe(true);
});

test("an open thread that is beyond the list stays followed", async () => {
  open.open("thread", "room", null, null);
  await answer(0, page(10, follow(10)));
  mine.load();
  await answer(1, { items: [], next: "more" });
  await answer(2, list());
  expect(followed()).toMatchObject({ read_seq: 10 });
  // Also one whose page was requested before the socket was open.
  open.open("other", "room", null, null);
  hear({ type: "hello" });
  const other = { ...root(10), id: "other" };
  await answer(3, { ...page(10, follow(10)), root: other });
  expect(state.value.threads?.other).toMatchObject({ read_seq: 10 });
  expect(asked(4)).toEqual([]);
});

test("an open thread beyond the list whose new replies are my own is read, and the list is loaded once", async () => {
  open.open("thread", "room", null, null);
  await answer(0, page(10, follow(9)));
  mine.load();
  await answer(1, { items: [], next: "more" });
  await answer(2, list());
  expect(asked(3)).toEqual([]);
  expect(countUnreadThreads(state.value.threads)).toBe(0);
  hear({ type: "thread_read", thread_id: "thread", ...follow(8) });
  expect(asked(3)).toEqual([LIST]);
});

test("an open thread is followed at once, and its unread replies are counted", async () => {
  await start();
  open.open("thread", "room", null, null);
  await answer(1, page(10, { is_following: false, read_seq: null, replied_seq: 0 }));
  hear({ type: "thread_follow", thread_id: "thread", ...follow(9) });
  expect(followed()).toMatchObject({ read_seq: 9 });
  expect(asked(2)).toEqual([LIST]);
});

test("an open thread is followed no more when its last reply is deleted", async () => {
  open.open("thread", "room", null, null);
  await answer(0, page(10, follow(9)));
  hear({ type: "thread", room_id: "room", seq: 11, message_id: "thread", thread: null });
  const { thread } = state.value.views.thread ?? {};
  expect([thread?.root?.id, followed()]).toEqual(["thread", undefined]);
});

test("a page of a thread does not undo marks that were heard while it was under way", async () => {
  open.open("thread", "room", null, null);
  replied(10);
  hear({ type: "thread_read", thread_id: "thread", read_seq: 4, replied_seq: 10 });
  await answer(0, page(10, follow(3)));
  expect(followed()).toMatchObject({ read_seq: 4, replied_seq: 10 });
});
