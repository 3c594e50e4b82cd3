import { expect, test } from "bun:test";
import { emptyView, type RoomView } from "../../public/app/state/model/model.ts";
import { countNew } from "../../public/app/state/model/unread.ts";
import type { RoomEvent } from "../../src/wire/events.ts";
import type { User } from "../../src/wire/models.ts";
import { makeMessage, timeOf } from "../support/scripted.ts";

const bob = { id: "bob" } as User;
/** Bob has read up to number 1; eight newer messages are counted, of which three are loaded. */
const view: RoomView = {
  ...emptyView,
  loaded: true,
  hasAfter: true,
  messages: [1, 2, 3].map((seq) => makeMessage(seq)).concat(makeMessage(4, { author: bob })),
  unread: { since: timeOf(1), count: 8, seq: 10, readerId: "bob" },
};
const said = (seq: number, author?: User) =>
  ({ type: "message", seq, message: makeMessage(seq, author && { author }) }) as RoomEvent;
const deleted = (n: number) =>
  ({ type: "message_delete", seq: 11, message_id: `message-${n}` }) as RoomEvent;

test("what comes is counted once, but not the reader's own", () => {
  const next = countNew(view, said(11));
  expect(next).toMatchObject({ count: 9, seq: 11 });
  expect(countNew({ ...view, unread: next }, said(11))).toBe(next);
  expect(countNew(view, said(10))?.count).toBe(8);
  expect(countNew(view, said(11, bob))?.count).toBe(8);
  expect(countNew(view, { type: "reaction", seq: 11 } as RoomEvent)).toMatchObject({
    count: 8,
    seq: 11,
  });
});

test("what is deleted is not counted, where it is known whether it was", () => {
  expect(countNew(view, deleted(2))?.count).toBe(7);
  expect(countNew(view, deleted(1))?.count).toBe(8);
  expect(countNew(view, deleted(4))?.count).toBe(8);
  expect(countNew(view, deleted(9))).toBeNull();
});

test("nothing is counted where the service was not asked", () => {
  expect(countNew({ ...view, unread: null }, said(11))).toBeNull();
});
