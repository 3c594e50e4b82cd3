import { UUID_PATTERN } from "../wire/limits.ts";
import { invalid } from "./refusal.ts";

/** An opaque cursor for a list that is ordered by one unique text key. */
export function encodeCursor(key: string): string {
  return Buffer.from(key).toString("base64url");
}

/** @throws Refusal `validation` for a cursor that this service did not make */
export function decodeCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, "base64url").toString();
  if (key === "" || key.includes("\0") || encodeCursor(key) !== cursor) {
    throw invalid("/cursor", "The cursor is not one of this list.");
  }
  return key;
}

/**
 * As `decodeCursor`, of a list that is ordered by id.
 * @throws Refusal `validation`
 */
export function decodeIdCursor(cursor: string | undefined): string | null {
  const id = decodeCursor(cursor);
  if (id === null || new RegExp(UUID_PATTERN).test(id)) return id;
  throw invalid("/cursor", "The cursor is not one of this list.");
}

/** Cuts the one row more that was asked for, and names the place to go on from. */
export function page<T>(rows: T[], limit: number, key: (row: T) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? encodeCursor(key(last)) : null };
}
