import { expect, test } from "bun:test";
import {
  fromLocalField,
  reminderTimes,
  sendTimes,
  timeOfDay,
  toLocalField,
} from "../../public/app/state/drafts/plan-times.ts";
import { readRemindCommand } from "../../public/app/state/drafts/remind-command.ts";

/** A Wednesday, by the reader's clock. */
const noon = new Date(2026, 10, 25, 12, 7, 30);
const local = (at: Date) => toLocalField(at);

test("a reminder is offered in an hour, this evening, tomorrow and on Monday", () => {
  expect(reminderTimes(noon).map(({ key, at }) => [key, local(at)])).toEqual([
    ["hour", "2026-11-25T13:08"],
    ["evening", "2026-11-25T18:00"],
    ["tomorrow", "2026-11-26T09:00"],
    ["monday", "2026-11-30T09:00"],
  ]);
  const sunday = new Date(2026, 10, 29, 19, 0);
  expect(reminderTimes(sunday).map(({ key }) => key)).toEqual(["hour", "tomorrow"]);
  const monday = new Date(2026, 10, 30, 19, 0);
  expect(
    reminderTimes(monday)
      .map(({ at }) => local(at))
      .at(-1),
  ).toBe("2026-12-07T09:00");
});

test("the last two times of sending come first, at their next time, and once", () => {
  const times = sendTimes(noon, ["12:30", "09:00", "x"]);
  expect(times.map(({ key, at }) => [key, local(at)])).toEqual([
    ["recent", "2026-11-25T12:30"],
    ["recent", "2026-11-26T09:00"],
    ["hour", "2026-11-25T13:08"],
    ["evening", "2026-11-25T18:00"],
    ["monday", "2026-11-30T09:00"],
  ]);
  expect(timeOfDay(times[1]?.at ?? noon)).toBe("09:00");
});

test("a field of a time is read as it was written", () => {
  expect(fromLocalField(toLocalField(noon))?.getTime()).toBe(noon.setSeconds(0));
  expect([fromLocalField(""), fromLocalField("x")]).toEqual([null, null]);
});

test.each([
  ["/remind me tomorrow 9:00 call Ada", "2026-11-26T09:00", "call Ada"],
  ["/remind me at 3pm to call 2 people", "2026-11-25T15:00", "call 2 people"],
  ["/remind me 9:00 tea", "2026-11-26T09:00", "tea"],
  ["/remind me in 20 minutes look at 7 things", "2026-11-25T12:27", "look at 7 things"],
  ["/remind me in an hour tea", "2026-11-25T13:07", "tea"],
  ["/remind me monday write", "2026-11-30T09:00", "write"],
  ["/remind wednesday at 10.30 write", "2026-12-02T10:30", "write"],
  ["/remind mich morgen um 14 Uhr Tee", "2026-11-26T14:00", "Tee"],
  ["/remind me mañana a las 8:15 té", "2026-11-26T08:15", "té"],
  ["/remind me 10:00 friday tea\nand cake", "2026-11-27T10:00", "tea\nand cake"],
])("%s", (command, at, text) => {
  const read = readRemindCommand(command, noon);
  expect("at" in read ? [local(read.at), read.text] : read).toEqual([at, text]);
});

test.each([
  ["/remind me", "no-time"],
  ["/remind me 3 apples", "no-time"],
  ["/remind me today 9:00 tea", "past"],
  ["/remind me tomorrow 9:00", "no-text"],
])("%s has a problem: %s", (command, problem) => {
  expect(readRemindCommand(command, noon)).toEqual({ problem } as never);
});
