import { type Signal, signal } from "@preact/signals";
import { beforeEach, expect, test } from "bun:test";
import { ApiError } from "../../public/app/connection/api.ts";
import { Journal } from "../../public/app/state/load.ts";
import { receive } from "../../public/app/state/events/receive.ts";
import { emptyState, emptyView, type State } from "../../public/app/state/model/model.ts";
import { RoomMembers } from "../../public/app/state/conversations/room-members.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import { makeMessage, passTurn, ScriptedApi, ScriptedClock } from "../support/scripted.ts";

const ROOM = "room";
const ALL = `/api/rooms/${ROOM}/members?all=true&limit=200`;
const some = (...ids: string[]) =>
  `/api/rooms/${ROOM}/members?user_ids=${encodeURIComponent(ids.join())}`;

let script: ScriptedApi;
let clock: ScriptedClock;
let state: Signal<State>;
let journal: Journal;
let members: RoomMembers;
let isJoining: boolean;
beforeEach(() => {
  script = new ScriptedApi();
  clock = new ScriptedClock();
  isJoining = false;
  journal = new Journal();
  const messages = [makeMessage(1, { author: { ...makeMessage(1).author, id: "writer" } })];
  state = signal({ ...emptyState, views: { [ROOM]: { ...emptyView, messages } } });
  members = new RoomMembers({
    api: script.api,
    clock,
    journal,
    state,
    receive: (source) => {
      state.value = receive(state.value, source);
    },
    isJoining: () => isJoining,
  });
});

const answer = (n: number, ...ids: string[]) => {
  const items = ids.map((id) => ({ user: { id, username: id }, status: "online", role: "member" }));
  return script.calls[n]?.answer({ items, next: null });
};
const shown = () => state.value.views[ROOM]?.members?.map(({ user }) => user.id) ?? null;
const hear = (event: object) => {
  const ofRoom = { room_id: ROOM, ...event } as ServerEvent;
  journal.record(ofRoom);
  members.onEvent(ofRoom);
  state.value = receive(state.value, { event: ofRoom, now: 0 });
};
const updated = (user_ids: string[] | null) => hear({ type: "member_updated", user_ids });
const removed = (user_id: string) => hear({ type: "member_removed", seq: 2, user_id });
const added = (user_id: string) => hear({ type: "member_added", seq: 2, user_id });
const brought = (user_ids: string[] | null, ...ids: string[]) =>
  hear({
    type: "member_updated",
    user_ids,
    members: ids.map((id) => ({ user: { id, username: id }, status: "online", role: "member" })),
  });

/** Shows the list, which has come. */
async function watch(...ids: string[]): Promise<() => void> {
  const stop = members.watch(ROOM);
  await passTurn();
  expect(script.paths).toEqual([ALL]);
  await answer(0, ...ids);
  return stop;
}

test("people who are named while a request is under way are loaded after it, together", async () => {
  await watch("ada", "bob");
  updated(["ada"]);
  updated(["bob"]);
  removed("ada");
  expect(script.paths).toEqual([ALL, some("ada")]);
  await answer(1, "ada");
  expect(script.paths).toEqual([ALL, some("ada"), some("bob", "ada")]);
  await answer(2, "bob");
  expect([shown(), script.calls.length]).toEqual([["bob"], 3]);
});

test("people whom an event brings are shown without a request, and those who left are not", async () => {
  await watch("ada", "bob");
  brought(["bob", "cy"], "cy");
  expect(shown()).toEqual(["ada", "cy"]);
  brought(null, "dan", "eve");
  expect(shown()).toEqual(["ada", "cy", "dan", "eve"]);
  removed("ada");
  expect(shown()).toEqual(["cy", "dan", "eve"]);
  expect(script.paths).toEqual([ALL]);
});

test("people whom an event brings while a request is under way are newer than it", async () => {
  await watch("ada", "bob");
  updated(["ada", "bob"]);
  brought(["bob", "cy"], "cy");
  await answer(1, "ada", "bob");
  expect(shown()).toEqual(["ada", "cy"]);
  members.renew(ROOM);
  await clock.pass(3_000);
  brought(["dan"], "dan");
  await answer(2, "ada");
  expect(shown()).toEqual(["ada", "dan"]);
  expect(script.paths).toEqual([ALL, some("ada", "bob"), ALL]);
});

test("a new member is loaded only if no event brings them", async () => {
  await watch("ada");
  added("bob");
  brought(["bob"], "bob");
  await clock.pass(10_000);
  expect(script.paths).toEqual([ALL]);
  added("cy");
  await clock.pass(3_000);
  expect(script.paths).toEqual([ALL, some("cy")]);
});

test("all are loaded where an event names nobody, at most every three seconds", async () => {
  await watch("ada");
  updated(null);
  await clock.pass(2_999);
  expect(script.paths).toEqual([ALL]);
  await clock.pass(1);
  expect(script.paths).toEqual([ALL, ALL]);
  await answer(1, "ada", "bob");
  expect(shown()).toEqual(["ada", "bob"]);
});

test("people whose request failed are asked for again, with those who were named since", async () => {
  await watch("ada");
  updated(["ada"]);
  updated(["bob"]);
  await script.calls[1]?.fail(new ApiError("unavailable", "", 503));
  await clock.pass(1_000);
  expect(script.paths.slice(2)).toEqual([some("ada", "bob")]);
});

test("a list that failed is requested at once when someone needs it", async () => {
  members.watch(ROOM);
  await passTurn();
  members.retry(ROOM);
  await passTurn();
  expect(script.paths).toEqual([ALL]);
  await script.calls[0]?.fail(new ApiError("unavailable", "", 503));
  members.retry(ROOM);
  await passTurn();
  expect(script.paths).toEqual([ALL, ALL]);
  await answer(1, "ada");
  expect(shown()).toEqual(["ada"]);
  await clock.pass(10_000);
  members.retry(ROOM);
  await passTurn();
  expect(script.paths).toEqual([ALL, ALL]);
});

test("more people than one request can name are loaded as a whole list", async () => {
  await watch("ada");
  updated(["ada"]);
  updated(Array.from({ length: 201 }, (_, n) => `person-${n}`));
  await answer(1, "ada");
  await clock.pass(3_000);
  expect(script.paths.slice(2)).toEqual([ALL]);
});

test("without a list, those who wrote what is shown are loaded, and nobody else", async () => {
  members.setOpen(ROOM, true);
  updated(["reader"]);
  await passTurn();
  expect(script.paths).toEqual([]);
  updated(["writer", "reader"]);
  await passTurn();
  expect(script.paths).toEqual([some("writer")]);
});

test("a list that is shown while its room is being joined is loaded by the join", async () => {
  isJoining = true;
  members.watch(ROOM);
  await passTurn();
  expect(script.paths).toEqual([]);
  members.renew(ROOM);
  await passTurn();
  expect(script.paths).toEqual([ALL]);
});

test("a list that nothing shows any more is not kept current", async () => {
  const stop = await watch("ada");
  stop();
  updated(["ada"]);
  expect(script.paths).toEqual([ALL]);
});
