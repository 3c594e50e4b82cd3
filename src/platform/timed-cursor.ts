import { UUID_PATTERN } from "../wire/patterns.ts";
import { decodeCursor } from "./cursor.ts";
import { makeInvalid } from "./refusal.ts";

/** A place in a list that is ordered by time, and by id where times are equal. */
export type TimedPlace = { at: Date; id: string };

const ID = new RegExp(UUID_PATTERN);

/** The key of a place, for the cursor. */
export function formatTimedKey(at: Date, id: string): string {
  return `${at.toISOString()} ${id}`;
}

/** @throws Refusal `validation` for a cursor of another list */
export function parseTimedCursor(cursor: string | undefined): TimedPlace | null {
  const key = decodeCursor(cursor);
  if (key === null) return null;
  const [time = "", id = ""] = key.split(" ");
  const at = new Date(time);
  if (!Number.isNaN(at.getTime()) && ID.test(id)) return { at, id };
  throw makeInvalid("/cursor", "The cursor is not one of this list.");
}
