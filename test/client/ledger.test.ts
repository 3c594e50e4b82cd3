import { expect, test } from "bun:test";
import {
  addEntry,
  type Entry,
  forgetSeen,
  readAgain,
  readLedger,
  readUpTo,
  mergeReadMark,
  mergeRoom,
} from "../../public/app/state/model/ledger.ts";
import type { ReadMark } from "../../src/wire/models.ts";
import { makeRoom, timeOf } from "../support/scripted.ts";

const ME = "bob";

/** A message of another person. */
const message = (seq: number, isMention = false): Entry => {
  const id = `message-${seq}`;
  return { seq, kind: "message", id, at: timeOf(seq), isNews: true, isMention };
};
const members = (seq: number, by: 1 | -1): Entry => ({ seq, kind: "members", by });
/** A ledger at number 10 of the room, all read. */
const start = () => mergeRoom(undefined, makeRoom("a", 10));
const add = (...entries: Entry[]) =>
  entries.reduce((ledger, entry) => addEntry(ledger, entry, ME), start());
const read = (ledger: ReturnType<typeof start>) => {
  const { room, isUnreadKnown } = readLedger(ledger, ME);
  const { unread, mention_count } = room.membership ?? {};
  return { seq: room.seq, member_count: room.member_count, unread, mention_count, isUnreadKnown };
};
const mark = (room_seq: number, version: number, last_read_seq = room_seq): ReadMark => ({
  last_read_at: timeOf(last_read_seq),
  last_read_seq,
  version,
  room_seq,
  unread: false,
  mention_count: 0,
});

test("what an answer includes changes nothing when it is heard after it", () => {
  expect(add(members(10, 1), message(9, true))).toEqual(start());
});

test("what is heard twice counts once, in whatever order", () => {
  const both = [members(11, 1), message(12, true)];
  const all = { seq: 12, member_count: 3, unread: true, mention_count: 1, isUnreadKnown: true };
  expect(read(add(...both, ...both))).toEqual(all);
  expect(read(add(...both.toReversed()))).toEqual(all);
});

test("an answer about the room includes what was heard up to its number, and nothing after it", () => {
  const heard = add(members(11, 1), members(12, 1));
  const answer = makeRoom("a", 11, { member_count: 3 });
  expect(read(mergeRoom(heard, answer))).toMatchObject({ seq: 12, member_count: 4 });
});

test("an answer with an older mark includes what was heard up to its number all the same", () => {
  const heard = mergeReadMark(add(members(11, 1)), mark(10, 5));
  const answer = makeRoom("a", 11, { member_count: 3 });
  expect(read(mergeRoom(heard, answer))).toMatchObject({ seq: 11, member_count: 3 });
});

test("an answer about what is read leaves what it does not include", () => {
  const heard = add(members(11, 1), message(12));
  const ledger = mergeReadMark(heard, mark(11, 2));
  expect(read(ledger)).toMatchObject({ member_count: 3, unread: true });
  expect(read(mergeReadMark(ledger, mark(12, 3)))).toMatchObject({
    member_count: 3,
    unread: false,
  });
});

test("a message counts from the number of the mark on, and only what the answer has not counted", () => {
  const counted = { ...mark(12, 2, 10), unread: true, mention_count: 1 };
  const ledger = mergeReadMark(add(message(12, true), message(13, true)), counted);
  expect(read(ledger)).toMatchObject({ mention_count: 2 });
  const later = mergeReadMark(add(message(12, true), message(13, true)), mark(10, 2, 12));
  expect(read(later)).toMatchObject({ unread: true, mention_count: 1 });
});

test("an edit that is known better takes the place of one that says less", () => {
  const edit = (isMention: boolean | null): Entry => ({
    seq: 12,
    kind: "edit",
    id: "message-11",
    isMention,
  });
  const ledger = add(message(11), edit(null));
  expect(read(ledger).isUnreadKnown).toBe(false);
  expect(read(addEntry(ledger, edit(true), ME))).toMatchObject({
    isUnreadKnown: true,
    mention_count: 1,
  });
  expect(read(add(message(11), edit(true), edit(null)))).toMatchObject({ isUnreadKnown: true });
});

test("more than 200 entries become part of what they are put on top of", () => {
  const entries = Array.from({ length: 250 }, (_, n) => message(11 + n, n % 2 === 0));
  const ledger = add(...entries);
  expect(ledger.entries.length).toBeLessThan(200);
  expect(read(ledger)).toMatchObject({
    seq: 260,
    unread: true,
    mention_count: 125,
    isUnreadKnown: true,
  });
});

test("what was read here stays read while answers to earlier marks arrive", () => {
  const seen = readUpTo(add(message(11, true), message(12, true)), timeOf(12));
  expect(read(seen)).toMatchObject({ unread: false, mention_count: 0 });
  const earlier = { ...mark(12, 2, 11), unread: true, mention_count: 1 };
  const ledger = mergeReadMark(seen, earlier);
  expect(read(ledger)).toMatchObject({ unread: false, mention_count: 0 });
  expect(readLedger(ledger, ME).room.membership?.last_read_at).toBe(timeOf(12));
  expect(read(addEntry(ledger, message(13), ME))).toMatchObject({ unread: true, mention_count: 0 });
  expect(ledger.timesMarkedUnread).toBe(0);
  // The mark itself has arrived, and later ones say more.
  expect(mergeReadMark(ledger, mark(12, 3)).seenAt).toBeNull();
  // It never did.
  expect(read(forgetSeen(ledger))).toMatchObject({ unread: true, mention_count: 1 });
});

test("a mark that was moved back makes unread what was read here", () => {
  const seen = readUpTo(add(message(11), message(12)), timeOf(12));
  const confirmed = mergeReadMark(seen, mark(12, 2));
  const back = mergeReadMark(confirmed, { ...mark(12, 3, 10), unread: true });
  expect([read(back).unread, back.timesMarkedUnread]).toEqual([true, 1]);
  // Here, while the service had confirmed less than what was read.
  const again = readAgain(seen, { ...mark(12, 2, 11), unread: true });
  expect([read(again).unread, again.timesMarkedUnread]).toEqual([true, 1]);
});
