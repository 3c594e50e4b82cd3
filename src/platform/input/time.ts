import { MIN_AHEAD_SECONDS } from "../../wire/limits.ts";
import { checkTimeZone } from "../../wire/quiet-hours.ts";
import { makeFieldRefusal } from "../refusal.ts";

/** The range of ISO 8601 dates with four-digit years, which PostgreSQL can store. */
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Parses a time in RFC 3339 format, which the schema has checked.
 * @param path in the request, for the refusal
 * @throws Refusal `validation` for a date that does not exist, or outside the years 1 to 9999
 */
export function parseTime(text: string, path: string): Date {
  const time = new Date(text);
  if (isDay(text.slice(0, 10)) && time.getTime() >= FIRST && time.getTime() <= LAST) return time;
  throw makeFieldRefusal(path, "There is no such time.");
}

/** Tolerance for the time that a request for "in one minute" takes to arrive. */
const SLACK_SECONDS = 5;
const DAY_MS = 86_400_000;

/**
 * Parses a time that is at least a minute and at most `maxDays` in the future.
 * @throws Refusal `validation`
 */
export function parseFutureTime(text: string, path: string, maxDays: number): Date {
  const at = parseTime(text, path);
  const ahead = at.getTime() - Date.now();
  if (ahead < (MIN_AHEAD_SECONDS - SLACK_SECONDS) * 1_000) {
    const detail = "This time is in the past or less than a minute ahead. Choose a later one.";
    throw makeFieldRefusal(path, detail);
  }
  if (ahead > maxDays * DAY_MS) throw makeFieldRefusal(path, "This time is too far ahead.");
  return at;
}

/** Rejects dates such as February 30, which `Date` may parse as March 2. */
function isDay(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}

/** @throws Refusal `validation` for a time zone that does not exist */
export function requireTimeZone(name: string, path: string): void {
  try {
    checkTimeZone(name);
  } catch {
    throw makeFieldRefusal(path, "There is no such time zone.");
  }
}
