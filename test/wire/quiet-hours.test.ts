import { describe, expect, test } from "bun:test";
import { isQuiet } from "../../src/wire/quiet-hours.ts";

const NIGHT = { from: "22:00", to: "07:30" };
const hours = (time_zone: string, ...days: ({ from: string; to: string } | null)[]) => ({
  time_zone,
  days: Array.from({ length: 7 }, (_, day) => days[day] ?? null),
});

describe("quiet hours", () => {
  // The 23rd of November 2026 is a Monday.
  test.each([
    ["2026-11-23T21:59:59Z", false],
    ["2026-11-23T22:00:00Z", true],
    ["2026-11-24T07:29:59Z", true],
    ["2026-11-24T07:30:00Z", false],
    ["2026-11-24T22:00:00Z", false],
    ["2026-11-23T03:00:00Z", false],
  ])("over a night begin on their day and end on the next: %s", (at, quiet) => {
    expect(isQuiet(hours("UTC", NIGHT), new Date(at))).toBe(quiet);
  });

  test("are those of the person's time zone, in summer and in winter", () => {
    const berlin = hours("Europe/Berlin", null, null, { from: "12:00", to: "13:00" });
    expect(isQuiet(berlin, new Date("2026-11-25T11:30:00Z"))).toBe(true);
    expect(isQuiet(berlin, new Date("2026-07-01T10:30:00Z"))).toBe(true);
    expect(isQuiet(berlin, new Date("2026-07-01T11:30:00Z"))).toBe(false);
  });

  test("go from Sunday into Monday, and may last a whole day", () => {
    const sunday = hours("UTC", null, null, null, null, null, null, NIGHT);
    expect(isQuiet(sunday, new Date("2026-11-23T06:00:00Z"))).toBe(true);
    const whole = hours("UTC", null, null, null, null, null, { from: "00:00", to: "00:00" });
    expect(isQuiet(whole, new Date("2026-11-28T00:00:00Z"))).toBe(true);
    expect(isQuiet(whole, new Date("2026-11-28T23:59:59Z"))).toBe(true);
    expect(isQuiet(whole, new Date("2026-11-29T00:00:00Z"))).toBe(false);
  });

  test("are none where none are set", () => {
    expect(isQuiet(null, new Date())).toBe(false);
    expect(isQuiet(hours("UTC"), new Date())).toBe(false);
  });
});
