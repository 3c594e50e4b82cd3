import { beforeEach, expect, test } from "bun:test";
import { emptyView } from "../../public/app/state/model/model.ts";
import { SeenMessages } from "../../public/app/state/timeline/seen.ts";
import type { Message } from "../../src/wire/models.ts";
import { makeMessage, timeOf } from "../support/scripted.ts";

const ME = { id: "bob" };
/** All is read up to the second of ten messages. */
const READ_AT = timeOf(2);
const messages = Array.from({ length: 10 }, (_, n) => makeMessage(n + 1));

let seen: SeenMessages;
beforeEach(() => {
  seen = new SeenMessages();
});

const look = (from: number, to: number, isScroll = false) =>
  seen.note(messages, { from, to }, isScroll);
const lastRead = (items: Message[] = messages, more = {}) =>
  seen.lastRead({ ...emptyView, loaded: true, messages: items, ...more }, READ_AT, ME)?.seq ?? null;

test("what was on the screen is read up to the first message that was not", () => {
  look(2, 4);
  expect(lastRead()).toBe(4);
  look(6, 7);
  expect(lastRead()).toBe(4);
  look(5, 5);
  expect(lastRead()).toBe(7);
});

test("what is scrolled past was seen, and what is jumped over was not", () => {
  look(2, 4);
  look(8, 9, true);
  expect(lastRead()).toBe(9);
  seen = new SeenMessages();
  look(2, 4);
  look(8, 9);
  expect(lastRead()).toBe(4);
});

test("what passes while the page has no focus was not seen", () => {
  look(2, 4);
  seen.leave();
  look(8, 9, true);
  expect(lastRead()).toBe(4);
});

test("the reader's own messages count as seen, those of their webhooks do not", () => {
  const { author } = makeMessage(1);
  const mine = (more: Partial<Message>) =>
    messages.map((message) =>
      message.seq === 4 ? { ...message, author: { ...author, ...ME }, ...more } : message,
    );
  look(3, 3);
  look(5, 6);
  expect([lastRead(mine({})), lastRead(mine({ via: { name: "CI" } as Message["via"] }))]).toEqual([
    6, 3,
  ]);
});

test("nothing is read where messages between the mark and those on the screen are not loaded", () => {
  look(5, 6);
  const later = messages.slice(4);
  expect(lastRead(later, { hasBefore: true })).toBeNull();
});
