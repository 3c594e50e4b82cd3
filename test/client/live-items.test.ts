import { beforeEach, expect, test } from "bun:test";
import {
  applyLive,
  messageField,
  LiveItems,
  type MessageOf,
} from "../../public/app/state/live-items.ts";
import { type Signal, signal } from "@preact/signals";
import { emptyState, type State } from "../../public/app/state/model/model.ts";
import { toConversation } from "../../public/app/state/model/conversation.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Message } from "../../src/wire/models.ts";
import { makeMessage, makeRoom, ScriptedApi, timeOf } from "../support/scripted.ts";

type Item = { message: Message; note: string };

let script: ScriptedApi;
let items: Item[];
let live: LiveItems;
let state: Signal<State>;
beforeEach(() => {
  script = new ScriptedApi();
  items = [1, 2].map((seq) => ({ message: makeMessage(seq, { edited_at: null }), note: "mine" }));
  state = signal(emptyState);
  const isShown = (id: string) => items.some(({ message }) => message.id === id);
  live = new LiveItems({ api: script.api, state }, isShown);
});

const hear = (event: object) => live.onEvent({ room_id: "room", ...event } as ServerEvent);
const shown = () =>
  applyLive(items, live.changes.value, messageField<Item>()).map(
    ({ message, note }) => `${message.content} ${note}`,
  );
const edited = (seq: number, content: string, at = 9) =>
  makeMessage(seq, { content, edited_at: timeOf(at) });

test("an open list follows edits and deletions of its messages, and no others", () => {
  hear({ type: "message_update", message: edited(1, "edited") });
  hear({ type: "message_update", message: edited(7, "elsewhere") });
  hear({ type: "message_delete", message_id: "message-2" });
  expect([shown(), script.paths]).toEqual([["edited mine"], []]);
});

test("a message of a room that is not open is read after its edit", async () => {
  hear({ type: "unread_changed", message_id: "message-1", is_deleted: false });
  expect(script.paths).toEqual(["/api/messages/message-1"]);
  await script.calls[0]?.answer(edited(1, "edited"));
  hear({ type: "unread_changed", message_id: "message-2", is_deleted: true });
  expect(shown()).toEqual(["edited mine"]);
});

test("a response from before a deletion or a later edit changes nothing", async () => {
  const change = (id: number) =>
    hear({ type: "unread_changed", message_id: `message-${id}`, is_deleted: false });
  change(1);
  hear({ type: "message_delete", message_id: "message-1" });
  await script.calls[0]?.answer(edited(1, "edited"));
  change(2);
  change(2);
  await script.calls[2]?.answer(edited(2, "second edit", 9));
  await script.calls[1]?.answer(edited(2, "first edit", 8));
  expect(shown()).toEqual(["second edit mine"]);
});

test("an edit from before the list was loaded again changes nothing", () => {
  hear({ type: "message_update", message: edited(1, "first edit", 8) });
  items = [{ message: edited(1, "second edit", 9), note: "mine" }];
  expect(shown()).toEqual(["second edit mine"]);
});

test("an item may have no message, or stay without it", () => {
  type Optional = { last: Message | null };
  const last: MessageOf<Optional> = {
    read: (item) => item.last,
    write: (_, message) => ({ last: message }),
    clear: () => ({ last: null }),
  };
  const both = [{ last: makeMessage(1, { edited_at: null }) }, { last: null }];
  const contents = () =>
    applyLive(both, live.changes.value, last).map((item) => item.last?.content ?? null);
  hear({ type: "message_update", message: edited(1, "edited") });
  expect(contents()).toEqual(["edited", null]);
  hear({ type: "message_delete", message_id: "message-1" });
  expect(contents()).toEqual([null, null]);
});

test("a room that I have left is in no list until I am back", () => {
  hear({ type: "room_removed" });
  expect(shown()).toEqual([]);
  // The event was missed: the rooms were loaded again.
  const room = toConversation(makeRoom("room"));
  state.value = { ...emptyState, conversations: { room } };
  expect(shown()).toEqual(["text 1 mine", "text 2 mine"]);
});
