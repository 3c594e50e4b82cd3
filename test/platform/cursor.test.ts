import { describe, expect, test } from "bun:test";
import { decodeCursor, encodeCursor, toPage } from "../../src/platform/input/cursor.ts";

describe("a cursor", () => {
  test.each(["a", "room-name_1", "ünï 😀", "a".repeat(200)])("carries the key %p", (key) => {
    const cursor = encodeCursor(key);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeCursor(cursor)).toBe(key);
  });

  test("that is absent means the start", () => {
    expect(decodeCursor(undefined)).toBeNull();
  });

  test.each(["", "a", "====", "YQ==", "not a cursor", encodeCursor("a\0b"), "_-_-_w"])(
    "that this service did not create is refused: %p",
    (cursor) => {
      expect(() => decodeCursor(cursor)).toThrow("validation");
    },
  );
});

describe("a page", () => {
  const rows = ["a", "b", "c"];
  const key = (row: string) => row;
  const toItem = (row: string) => row.toUpperCase();

  test("has a cursor while there is more", () => {
    const { items, next } = toPage(rows, 2, key, toItem);
    expect(items).toEqual(["A", "B"]);
    expect(decodeCursor(next ?? undefined)).toBe("b");
  });

  test("is the last one when it is exactly full", () => {
    expect(toPage(rows, 3, key, toItem)).toEqual({ items: ["A", "B", "C"], next: null });
    expect(toPage([], 3, key, toItem)).toEqual({ items: [], next: null });
  });
});
