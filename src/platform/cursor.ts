import { UUID_PATTERN } from "../wire/patterns.ts";
import { makeInvalid } from "./refusal.ts";

/** Encodes an opaque cursor for a list that is ordered by a unique text key. */
export function encodeCursor(key: string): string {
  return Buffer.from(key).toString("base64url");
}

/** @throws Refusal `validation` for a cursor that this service did not make */
export function decodeCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, "base64url").toString();
  if (key === "" || key.includes("\0") || encodeCursor(key) !== cursor) {
    throw makeInvalid("/cursor", "The cursor is not one of this list.");
  }
  return key;
}

/**
 * As `decodeCursor`, for a list that is ordered by id.
 * @throws Refusal `validation`
 */
export function decodeIdCursor(cursor: string | undefined): string | null {
  const id = decodeCursor(cursor);
  if (id === null || new RegExp(UUID_PATTERN).test(id)) return id;
  throw makeInvalid("/cursor", "The cursor is not one of this list.");
}

/** Where lists that are ordered by id start. */
export const SMALLEST_ID = "00000000-0000-0000-0000-000000000000";
export const LARGEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Makes a page of a list.
 * @param rows up to `limit + 1`: the one more shows that there is a next page
 * @param keyOf the key that the list is ordered by, for the cursor
 */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string,
  toItem: (row: Row) => Item,
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last ? encodeCursor(keyOf(last)) : null;
  return { items: shown.map((row) => toItem(row)), next };
}

/** @returns the JSON of a page whose items are JSON already */
export function renderTextPage(items: string[], next: string | null): string {
  return `{"items":[${items.join()}],"next":${JSON.stringify(next)}}`;
}
