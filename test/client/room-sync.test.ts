import { type Signal, signal } from "@preact/signals";
import { beforeEach, expect, test } from "bun:test";
import { receive } from "../../public/app/state/events/receive.ts";
import { emptyState, emptyView, type State } from "../../public/app/state/model/model.ts";
import { Journal } from "../../public/app/state/load.ts";
import { RoomSync } from "../../public/app/state/timeline/room-sync.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Frame } from "../../src/wire/frames.ts";
import { makeMessage, passTurn, ScriptedApi, ScriptedClock } from "../support/scripted.ts";

let script: ScriptedApi;
let clock: ScriptedClock;
let state: Signal<State>;
let journal: Journal;
let sync: RoomSync;
let frames: Frame[];
beforeEach(() => {
  script = new ScriptedApi();
  clock = new ScriptedClock();
  const known = { ...emptyView, seq: 5, loaded: true };
  state = signal({ ...emptyState, views: { a: known, b: known } });
  frames = [];
  journal = new Journal();
  sync = new RoomSync({
    api: script.api,
    clock,
    journal,
    state,
    receive: (source) => {
      state.value = receive(state.value, source);
    },
    send: (frame) => frames.push(frame) > 0,
    onMissing: () => {},
  });
});

const joins = () => frames.filter(({ type }) => type === "join");
const join = (room_id: string, seq = 5): Frame => ({ type: "join", room_id, seq });
const hear = (event: unknown) => {
  journal.record(event as ServerEvent);
  sync.onEvent(event as ServerEvent);
};
const joined = (room_id: string, seq: number) => hear({ type: "joined", room_id, seq });
const message = (room_id: string, seq: number) =>
  hear({ type: "message", room_id, seq, message: makeMessage(seq) });
const refused = (code: string, room_id = "a") =>
  sync.onError({ type: "error", code, detail: "", room_id } as Parameters<RoomSync["onError"]>[0]);

test("a gap in the numbers is asked for once", () => {
  sync.open("a");
  joined("a", 5);
  for (const seq of [7, 8]) message("a", seq);
  expect(joins()).toEqual([join("a"), join("a")]);
  // A room that is not looked at catches up when it is.
  message("b", 9);
  expect(joins()).toHaveLength(2);
});

test("the answer to the join of a room that was left again is not taken for another's", () => {
  sync.open("a");
  sync.open("b");
  joined("a", 5);
  message("b", 7);
  // The join of b is not answered yet: what is missing is in its answer.
  expect(joins()).toEqual([join("a"), join("b")]);
});

test("a room that does not exist for me is not joined again", async () => {
  for (const code of ["room_not_found", "not_a_member"]) {
    sync.open("a");
    refused(code);
    await clock.pass(60_000);
    expect(sync.roomId).toBeNull();
  }
  expect(joins()).toHaveLength(2);
});

test("a join that was refused for another reason is sent again after a second, once", async () => {
  sync.open("a");
  for (let n = 0; n < 3; n++) refused("rate_limited");
  await clock.pass(999);
  expect(joins()).toHaveLength(1);
  await clock.pass(1);
  await clock.pass(60_000);
  expect(joins()).toEqual([join("a"), join("a")]);
});

const memberLoads = () => script.paths.filter((path) => path.includes("/members")).length;

test("the members are loaded again after each connection, and not after each gap", async () => {
  sync.members.watch("a");
  sync.open("a");
  joined("a", 5);
  await passTurn();
  expect(memberLoads()).toBe(1);
  message("a", 7);
  joined("a", 7);
  await passTurn();
  expect(memberLoads()).toBe(1);
  sync.reconnected();
  joined("a", 7);
  await passTurn();
  expect(memberLoads()).toBe(2);
});

test("the members are loaded again after a room was left, though an earlier join is answered late", async () => {
  sync.members.watch("a");
  sync.open("a");
  sync.setHidden(true);
  sync.setHidden(false);
  // Who comes or goes between `left` and the second `joined` is in no event.
  for (const loads of [1, 2]) {
    joined("a", 5);
    await passTurn();
    expect(memberLoads()).toBe(loads);
    await script.calls.at(-1)?.answer({ items: [], next: null });
    await clock.pass(3_000);
    hear({ type: "left", room_id: "a" });
  }
});

test("a list of members that is opened while a gap is asked for is loaded at once", async () => {
  sync.open("a");
  joined("a", 5);
  message("a", 7);
  sync.members.watch("a");
  await passTurn();
  expect(memberLoads()).toBe(1);
});

test("a room whose log is too far ahead is joined and loaded as if for the first time", async () => {
  sync.open("a");
  joined("a", 5);
  hear({ type: "resync", room_id: "a" });
  expect(joins()).toEqual([join("a"), { type: "join", room_id: "a" }]);
  joined("a", 900);
  await passTurn();
  expect(script.paths).toContain("/api/rooms/a/messages?limit=50&joins=true");
});

test("a hidden page leaves its room, and joins it again from where it was", () => {
  sync.open("a");
  sync.setHidden(true);
  expect(frames.at(-1)).toEqual({ type: "leave", room_id: "a" });
  sync.reconnected();
  expect(joins()).toHaveLength(1);
  sync.setHidden(false);
  expect(frames.at(-1)).toEqual(join("a"));
});
