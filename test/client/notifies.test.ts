import { expect, test } from "bun:test";
import type { Conversation } from "../../public/app/state/model/conversation.ts";
import { emptyState, type State } from "../../public/app/state/model/model.ts";
import { findNotifiedPlace } from "../../public/app/state/conversations/notifies.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import { makeMessage, makeRoom } from "../support/scripted.ts";

/** What a sound is played for: the same as what is pushed. */

type Choice = {
  notify: "all" | "mentions" | "none";
  muted_until?: string;
  thread_push?: "all" | "followed";
};

/** Ada is in a room up to number 5, with these choices, and follows the thread "t". */
function stateOf(choice: Choice, readSeq = 5): State {
  const room = makeRoom("room", 5);
  const membership = { ...room.membership, thread_push: "followed", ...choice } as never;
  const follow = {
    room_id: "room",
    read_seq: readSeq,
    replied_seq: 0,
    last_reply_seq: 5,
    is_resolved: false,
    root: { id: "t", author: { id: "bob", name: "Bob" }, title: null, content: "Shall we" },
    replies: { count: 0, countedSeq: 5, later: [] },
  };
  return {
    ...emptyState,
    me: { id: "ada" } as never,
    conversations: { room: { ...room, membership } },
    threads: { t: { ...follow, seq: 0 } as never },
  };
}

type News = { threadId?: string; mention?: boolean; seq?: number; by?: string };
/** The same message, for one who has the room open and for one who has not. */
function eventsOf({ threadId, mention = false, seq = 6, by = "bob" }: News): ServerEvent[] {
  const message = makeMessage(seq, {
    author: { id: by } as never,
    thread_id: threadId ?? null,
    mentions: mention ? [{ user_id: "ada", username: "ada" }] : [],
  });
  const unread = { type: "unread", kind: "room", room_id: "room", seq, mention, author_id: by };
  return [
    { type: "message", room_id: "room", seq, message } as ServerEvent,
    { ...unread, message_id: message.id, thread_id: threadId ?? null } as ServerEvent,
  ];
}

const isHeard = (choice: Choice, news: News, readSeq?: number) => {
  const heard = eventsOf(news).map((event) => findNotifiedPlace(stateOf(choice, readSeq), event));
  expect(new Set(heard).size).toBe(1);
  expect([null, "room"]).toContain(heard[0] ?? null);
  return heard[0] !== null;
};

test("a message is, by the choice of its room", () => {
  expect(isHeard({ notify: "all" }, {})).toBe(true);
  expect(isHeard({ notify: "mentions" }, {})).toBe(false);
  expect(isHeard({ notify: "mentions" }, { mention: true })).toBe(true);
  expect(isHeard({ notify: "none" }, { mention: true })).toBe(false);
  const muted_until = "2026-11-22T09:00:00.000Z";
  expect(isHeard({ notify: "all", muted_until }, { mention: true })).toBe(false);
});

test("a reply is, where its thread is followed or every reply is wanted", () => {
  expect(isHeard({ notify: "all" }, { threadId: "t" })).toBe(true);
  expect(isHeard({ notify: "all" }, { threadId: "other" })).toBe(false);
  expect(isHeard({ notify: "all", thread_push: "all" }, { threadId: "other" })).toBe(true);
  expect(isHeard({ notify: "all" }, { threadId: "other", mention: true })).toBe(true);
  expect(isHeard({ notify: "mentions" }, { threadId: "t" })).toBe(false);
  expect(isHeard({ notify: "mentions" }, { threadId: "t", mention: true })).toBe(true);
  expect(isHeard({ notify: "none", thread_push: "all" }, { threadId: "t" })).toBe(false);
});

test("what is my own, or was read here or in its thread, is not", () => {
  expect(isHeard({ notify: "all" }, { by: "ada" })).toBe(false);
  expect(isHeard({ notify: "all" }, { seq: 5 })).toBe(false);
  expect(isHeard({ notify: "all" }, { threadId: "t" }, 6)).toBe(false);
  expect(isHeard({ notify: "all" }, { threadId: "t", by: "ada" })).toBe(false);
});

test("nothing of a room that I am not in is, and of a conversation all but where it is muted", () => {
  const [event = null] = eventsOf({}).slice(1);
  expect(findNotifiedPlace(emptyState, event as ServerEvent)).toBe(null);
  const { conversations, ...state } = stateOf({ notify: "all" });
  const direct = {
    ...(conversations?.room as Conversation),
    kind: "direct",
    direct: { id: "room", kind: "pair", members: [] },
  };
  for (const [notify, isWanted] of [
    ["all", true],
    ["mentions", true],
    ["none", false],
  ] as const) {
    const membership = { ...direct.membership, notify };
    const talks = { room: { ...direct, membership } } as never;
    const heard = findNotifiedPlace({ ...state, conversations: talks }, event as ServerEvent);
    expect(heard).toBe(isWanted ? "room" : null);
  }
});
