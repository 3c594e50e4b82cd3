import { expect, test } from "bun:test";
import { hoursAhead } from "../../public/app/parts/hours-ahead.ts";

const SUMMER = new Date("2026-07-01T12:00:00Z");
const WINTER = new Date("2026-01-01T12:00:00Z");
/** The difference between two zones, wherever the test runs. */
const between = (zone: string, other: string, at: Date) =>
  (hoursAhead(zone, at) ?? NaN) - (hoursAhead(other, at) ?? NaN);

test("counts the hours between two zones, parts of hours too, at that time of the year", () => {
  expect(between("Asia/Tokyo", "UTC", SUMMER)).toBe(9);
  expect(between("America/New_York", "UTC", WINTER)).toBe(-5);
  expect(between("America/New_York", "UTC", SUMMER)).toBe(-4);
  expect(between("Asia/Kathmandu", "UTC", SUMMER)).toBe(5.75);
  expect(between("America/St_Johns", "UTC", WINTER)).toBe(-3.5);
});

test("is 0 where the reader is, and null for a zone that the browser does not know", () => {
  expect(hoursAhead(Intl.DateTimeFormat().resolvedOptions().timeZone, SUMMER)).toBe(0);
  expect(hoursAhead("Mars/Olympus", SUMMER)).toBeNull();
});
