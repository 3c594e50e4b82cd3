import { type Signal, signal } from "@preact/signals";
import { beforeEach, expect, test } from "bun:test";
import { ApiError } from "../../public/app/connection/api.ts";
import { receive } from "../../public/app/state/events/receive.ts";
import { emptyState, emptyView, type State } from "../../public/app/state/model/model.ts";
import { Journal } from "../../public/app/state/load.ts";
import { scrollPositions } from "../../public/app/state/timeline/span.ts";
import { RoomHistory } from "../../public/app/state/timeline/room-history.ts";
import type { RoomEvent } from "../../src/wire/events.ts";
import type { Message } from "../../src/wire/models.ts";
import { showUsers } from "../support/shown-users.ts";
import { makeMessage, makeRoom, passTurn, ScriptedApi, timeOf } from "../support/scripted.ts";

const ROOM = "room";

let script: ScriptedApi;
let state: Signal<State>;
let history: RoomHistory;
let journal: Journal;
let ahead: string[];
let missing: number;
beforeEach(() => {
  script = new ScriptedApi();
  const view = { ...emptyView, seq: 5, loaded: true };
  state = signal({ ...emptyState, views: { [ROOM]: view } });
  ahead = [];
  missing = 0;
  journal = new Journal();
  history = new RoomHistory({
    journal,
    receive: (source) => {
      state.value = receive(state.value, source);
    },
    fetchPage: (id, query, signal) =>
      script.api.call("GET /api/rooms/:id/messages", { params: { id }, query }, { signal }),
    state,
    onMissing: () => void missing++,
    onAhead: (roomId) => void ahead.push(roomId),
  });
});

const view = () => state.value.views[ROOM] ?? emptyView;
const contents = () => view().messages.map(({ content }) => content);
const piece = (seq: number, items: Message[], more = {}) => ({
  items,
  seq,
  has_more_before: false,
  has_more_after: false,
  ...more,
});
const edit = (seq: number, content: string) =>
  ({ type: "message_update", room_id: ROOM, seq, message: makeMessage(1, { content }) }) as const;
function hear(event: unknown): void {
  journal.record(event as RoomEvent);
  history.onEvent();
}
const answer = (n: number, body: unknown) => script.calls[n]?.answer(body);

test("what a piece includes is not applied to it again", async () => {
  const load = history.load(ROOM);
  hear(edit(6, "sixth"));
  await answer(0, piece(7, [makeMessage(1, { content: "seventh" })]));
  await load;
  expect(contents()).toEqual(["seventh"]);
  expect(view().seq).toBe(7);
});

test("what a piece does not include is applied in order", async () => {
  const load = history.load(ROOM);
  hear(edit(7, "seventh"));
  hear(edit(6, "sixth"));
  await answer(0, piece(5, [makeMessage(1)]));
  await load;
  expect(contents()).toEqual(["seventh"]);
});

test("an older piece leaves the number of the view as it is", async () => {
  const load = history.load(ROOM);
  await answer(0, piece(3, [makeMessage(1)]));
  await load;
  expect([view().seq, ahead]).toEqual([5, []]);
});

test("a piece that is ahead of the view's events says so", async () => {
  const load = history.load(ROOM);
  await answer(0, piece(9, []));
  await load;
  expect([view().seq, ahead]).toEqual([9, [ROOM]]);
});

test("a piece is asked for again where more was heard than is kept", async () => {
  const load = history.load(ROOM);
  for (let seq = 6; seq <= 1_006; seq++) hear(edit(seq, `${seq}`));
  expect(script.calls.map((call) => call.signal?.aborted)).toEqual([true, false]);
  await answer(1, piece(1_006, [makeMessage(1, { content: "1006" })]));
  await load;
  expect(contents()).toEqual(["1006"]);
});

test("a newer request gives up the one before, whose answer is left out", async () => {
  script.endsAborted = false;
  const first = history.load(ROOM);
  const second = history.load(ROOM, { at: timeOf(2) });
  await answer(1, piece(5, [makeMessage(2)]));
  await answer(0, piece(5, [makeMessage(9)]));
  await Promise.all([first, second]);
  expect(contents()).toEqual(["text 2"]);
});

test("more is asked for once at a time, and joins what is known", async () => {
  const view = { ...emptyView, seq: 5, loaded: true, hasBefore: true, messages: [makeMessage(4)] };
  state.value = { ...state.value, views: { [ROOM]: view } };
  const both = [history.loadMore(ROOM, "before"), history.loadMore(ROOM, "before")];
  expect(script.paths).toEqual([`/api/rooms/${ROOM}/messages?limit=50&before=message-4`]);
  await answer(0, piece(5, [makeMessage(2), makeMessage(3)]));
  await Promise.all(both);
  expect(contents()).toEqual(["text 2", "text 3", "text 4"]);
});

test("a room that was left keeps its newest messages, and loads what is before them", async () => {
  const messages = Array.from({ length: 250 }, (_, n) => makeMessage(n + 1));
  const left = { ...emptyView, seq: 250, loaded: true, messages };
  state.value = { ...state.value, views: { [ROOM]: left } };
  const late = history.loadMore(ROOM, "before");
  history.trim(ROOM);
  await answer(0, piece(250, [makeMessage(0)]));
  await late;
  const { hasBefore, hasAfter, messages: kept } = view();
  expect([kept.length, kept[0]?.seq, hasBefore, hasAfter]).toEqual([100, 151, true, false]);
  const more = history.loadMore(ROOM, "before");
  expect(script.paths.at(-1)).toBe(`/api/rooms/${ROOM}/messages?limit=50&before=message-151`);
  await answer(1, piece(250, [makeMessage(150)]));
  await more;
  expect(view().messages[0]?.seq).toBe(150);
});

test("a room that was left above its newest message keeps those around", () => {
  const messages = Array.from({ length: 250 }, (_, n) => makeMessage(n + 1));
  const left = { ...emptyView, seq: 250, loaded: true, messages };
  state.value = { ...state.value, views: { [ROOM]: left } };
  scrollPositions.set(ROOM, { id: "message-90", seq: 90, top: 0 });
  history.trim(ROOM);
  scrollPositions.delete(ROOM);
  const { hasBefore, hasAfter, messages: kept } = view();
  expect([kept[0]?.seq, kept.at(-1)?.seq, hasBefore, hasAfter]).toEqual([40, 139, true, true]);
});

test("a time that is known is not asked for", async () => {
  const messages = [makeMessage(2), makeMessage(4)];
  state.value = { ...state.value, views: { [ROOM]: { ...emptyView, loaded: true, messages } } };
  expect((await history.loadAt(ROOM, timeOf(3)))?.seq).toBe(4);
  expect(script.calls).toEqual([]);
});

test("a piece names rooms as the list of rooms does", async () => {
  const conversations = { other: makeRoom("other", 1, { name: "renamed" }) };
  state.value = { ...state.value, conversations };
  const load = history.load(ROOM);
  const room_references = [{ room_id: "other", name: "old" }];
  await answer(0, piece(5, [makeMessage(1, { room_references })]));
  await load;
  expect(showUsers(state.value, view().messages[0])?.room_references).toEqual([
    { room_id: "other", name: "renamed" },
  ]);
});

test("the newest are loaded where the message of an address is not there", async () => {
  const load = history.load(ROOM, { around: "message-9" });
  await script.calls[0]?.fail(new ApiError("message_not_found", "", 404));
  await answer(1, piece(5, [makeMessage(1)]));
  await load;
  expect([missing, contents(), view().problem]).toEqual([1, ["text 1"], null]);
});

test("what goes wrong is kept with the view, and what is known stays", async () => {
  const load = history.load(ROOM);
  await script.calls[0]?.fail(new ApiError("unavailable", "", 503));
  await load;
  expect(view()).toMatchObject({ seq: 5, loaded: true, problem: { code: "unavailable" } });
  await passTurn();
  expect(script.calls).toHaveLength(1);
});

test("a count of what is unread includes what comes meanwhile", async () => {
  state.value.views[ROOM] = { ...view(), hasAfter: true };
  const count = history.countUnread(ROOM);
  expect(script.paths.at(-1)).toContain("limit=1&unread=true");
  for (const seq of [7, 8])
    hear({ type: "message", room_id: ROOM, seq, message: makeMessage(seq) });
  await answer(0, piece(7, [], { unread: { last_read_at: timeOf(2), count: 499 } }));
  await count;
  expect(view().unread).toMatchObject({ since: timeOf(2), count: 500, seq: 8 });
});

test("a count that fails stays unknown", async () => {
  const count = history.countUnread(ROOM);
  await script.calls[0]?.fail(new ApiError("offline"));
  await count;
  expect(view().unread).toBeNull();
});
