import { DAYS_PER_MONTH, dayToken, monthToken, quoteToken } from "./tokens.ts";

/** Days since 1970, from the first to the last, both included. */
export type DaySpan = { first: number; last: number };

/** The first window, and how many times as many days each further one has. */
const FIRST_DAYS = 2;
const GROWTH = 4;

/**
 * Divides days into windows that are searched one after the other: a search ends with the window that
 * completes its page. The newest (or oldest) come first, and each window is longer than the one before.
 */
export function divideDays({ first, last }: DaySpan, sort: "newest" | "oldest"): DaySpan[] {
  const windows: DaySpan[] = [];
  let [from, to] = [first, last];
  for (let days = FIRST_DAYS; from <= to; days *= GROWTH) {
    if (sort === "newest") {
      windows.push({ first: Math.max(from, to - days + 1), last: to });
      to -= days;
    } else {
      windows.push({ first: from, last: Math.min(to, from + days - 1) });
      from += days;
    }
  }
  return windows;
}

/** A `tsquery` for messages of these days: whole months of 32 days, and single days at the ends. */
export function windowQuery({ first, last }: DaySpan): string {
  const tokens: string[] = [];
  for (let day = first; day <= last;) {
    if (day % DAYS_PER_MONTH === 0 && day + DAYS_PER_MONTH - 1 <= last) {
      tokens.push(monthToken(day / DAYS_PER_MONTH));
      day += DAYS_PER_MONTH;
    } else {
      tokens.push(dayToken(day));
      day += 1;
    }
  }
  return tokens.map(quoteToken).join(" | ");
}
