import { describe, expect, test } from "bun:test";
import { decodeCursor, encodeCursor, page } from "../../src/platform/cursor.ts";

describe("a cursor", () => {
  test.each(["a", "room-name_1", "ünï 😀", "a".repeat(200)])("carries the key %p", (key) => {
    const cursor = encodeCursor(key);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeCursor(cursor)).toBe(key);
  });

  test("that is absent stands for the start", () => {
    expect(decodeCursor(undefined)).toBeNull();
  });

  test.each(["", "a", "====", "YQ==", "not a cursor", encodeCursor("a\0b"), "_-_-_w"])(
    "that nobody was given is refused: %p",
    (cursor) => {
      expect(() => decodeCursor(cursor)).toThrow("validation");
    },
  );
});

describe("a page", () => {
  const rows = ["a", "b", "c"];
  const key = (row: string) => row;

  test("names the place to go on from while there is more", () => {
    const { items, next } = page(rows, 2, key);
    expect(items).toEqual(["a", "b"]);
    expect(decodeCursor(next ?? undefined)).toBe("b");
  });

  test("is the last when it is just full", () => {
    expect(page(rows, 3, key)).toEqual({ items: rows, next: null });
    expect(page([], 3, key)).toEqual({ items: [], next: null });
  });
});
