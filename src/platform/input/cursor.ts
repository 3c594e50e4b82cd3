import { UUID_PATTERN } from "../../wire/patterns.ts";
import { LARGEST_ID } from "../ids.ts";
import { makeFieldRefusal, type Refusal } from "../refusal.ts";

const ID = new RegExp(UUID_PATTERN);

/** Encodes an opaque cursor for a list that is ordered by a unique text key. */
export function encodeCursor(key: string): string {
  return Buffer.from(key).toString("base64url");
}

/** @throws Refusal `validation` for a cursor that this service did not create */
export function decodeCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, "base64url").toString();
  if (key === "" || key.includes("\0") || encodeCursor(key) !== cursor) {
    throw makeInvalidCursorRefusal();
  }
  return key;
}

/**
 * Decodes a cursor of a list that is ordered by id.
 * @throws Refusal `validation`
 */
export function decodeIdCursor(cursor: string | undefined): string | null {
  const id = decodeCursor(cursor);
  if (id === null || ID.test(id)) return id;
  throw makeInvalidCursorRefusal();
}

export function makeInvalidCursorRefusal(): Refusal {
  return makeFieldRefusal("/cursor", "The cursor is not valid for this list.");
}

/** A position in a list that is ordered by time, and by id for equal times. */
export type TimedPlace = { at: Date; id: string };

/** The position before the first entry of a list that starts with the newest. */
export const NEWEST: TimedPlace = { at: new Date("9999-01-01T00:00:00Z"), id: LARGEST_ID };

export function formatTimedKey(at: Date, id: string): string {
  return `${at.toISOString()} ${id}`;
}

/** @throws Refusal `validation` for a cursor that is invalid for this list */
export function parseTimedCursor(cursor: string | undefined): TimedPlace | null {
  const key = decodeCursor(cursor);
  if (key === null) return null;
  const [time = "", id = ""] = key.split(" ");
  const at = new Date(time);
  if (!Number.isNaN(at.getTime()) && ID.test(id)) return { at, id };
  throw makeInvalidCursorRefusal();
}

/**
 * Builds a page of a list.
 * @param rows up to `limit + 1`: the extra row shows that there is a next page
 * @param keyOf returns the sort key, for the cursor
 * @param toItem returns null for a row to leave out, such as that of a message deleted since
 */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string,
  toItem: (row: Row) => Item | null,
): { items: Item[]; next: string | null } {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  const next = rows.length > limit && last ? encodeCursor(keyOf(last)) : null;
  const items = pageRows.map((row) => toItem(row)).filter((item) => item !== null);
  return { items, next };
}
