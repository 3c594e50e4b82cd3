import { invalid } from "./refusal.ts";

/** What PostgreSQL stores and an ISO 8601 date of four digits can say. */
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A time that was given as RFC 3339 has it, whose form is checked already.
 * @param path where it was in the request, for the refusal
 * @throws Refusal `validation` for a day that no calendar has, and outside the years 1 to 9999
 */
export function timeOf(text: string, path: string): Date {
  const time = new Date(text);
  if (isDay(text.slice(0, 10)) && time.getTime() >= FIRST && time.getTime() <= LAST) return time;
  throw invalid(path, "There is no such time.");
}

/** A parser may take the 30th of February for the 2nd of March. */
function isDay(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
