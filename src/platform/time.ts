import { makeInvalid } from "./refusal.ts";

/** The range of ISO 8601 dates with years of four digits, which PostgreSQL can store. */
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Parses a time in the format of RFC 3339, which the schema has checked.
 * @param path in the request, for the refusal
 * @throws Refusal `validation` for a date that does not exist, or outside the years 1 to 9999
 */
export function parseTime(text: string, path: string): Date {
  const time = new Date(text);
  if (isDay(text.slice(0, 10)) && time.getTime() >= FIRST && time.getTime() <= LAST) return time;
  throw makeInvalid(path, "There is no such time.");
}

/** `Date` may parse the 30th of February as the 2nd of March. */
function isDay(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
