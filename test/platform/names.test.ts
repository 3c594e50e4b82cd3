import { describe, expect, test } from "bun:test";
import { cleanDescription, cleanName } from "../../src/platform/input/names.ts";
import { parseTime } from "../../src/platform/input/time.ts";
import { isLoopback } from "../../src/platform/networks.ts";
import { hasVisible } from "../../src/wire/unicode.ts";

const clean = (name: string) => cleanName(name, "/name", 10);

describe("a name", () => {
  test.each(["Ada", "ada 😀", "👩‍👩‍👧", "اسم", "שם", "é", "日本", "1️⃣", "❤️", "."])(
    "may be %p",
    (name) => {
      expect(clean(` ${name} `)).toBe(name);
    },
  );

  const INVISIBLE = [
    "",
    " ",
    "\u200b",
    "\u200d\ufe0f",
    "\u3164",
    "\u2800",
    "\u00ad",
    "\u{e0041}",
    "\u115f \uffa0",
    "\ufeff",
  ];
  test.each(INVISIBLE)("is not %j, which shows as nothing", (name) => {
    expect(() => clean(name)).toThrow("validation");
    expect(hasVisible(name)).toBe(false);
  });

  test.each(["\u202eAda", "A\u2066da", "Ada\u200f", "\u061cAda"])(
    "is not %j, which turns text",
    (name) => {
      expect(() => clean(name)).toThrow("direction");
    },
  );

  test.each(["a\nb", "a\0", "\ud800", "x".repeat(11), "😀".repeat(11)])("is not %j", (name) => {
    expect(() => clean(name)).toThrow("1 to 10 characters");
  });
});

test("a description may have several lines, and is null if it is blank", () => {
  expect(cleanDescription(" a\nb ", "/description", 10)).toBe("a\nb");
  expect(cleanDescription(" \n", "/description", 10)).toBeNull();
  for (const text of ["\u200b", "a\u202eb", "x".repeat(11)]) {
    expect(() => cleanDescription(text, "/description", 10)).toThrow("validation");
  }
});

describe("a time", () => {
  test.each(["2026-02-28T23:59:59Z", "2024-02-29t00:00:00.5z", "0001-01-01T00:00:00Z"])(
    "may be %s",
    (text) => {
      expect(parseTime(text, "/at")).toEqual(new Date(text));
    },
  );

  test.each([
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-14:00",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T25:00:00Z",
    "2026-01-01T00:00:00+99:00",
  ])("is not %s", (text) => {
    expect(() => parseTime(text, "/at")).toThrow("no such time");
  });
});

test("a loopback address is recognized in every notation", () => {
  for (const own of ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"]) {
    expect([own, isLoopback(own)]).toEqual([own, true]);
  }
  for (const other of [
    "127.evil",
    "127.1.evil.example",
    "127.1",
    "",
    "unknown",
    "::",
    "10.0.0.1",
  ]) {
    expect([other, isLoopback(other)]).toEqual([other, false]);
  }
});
