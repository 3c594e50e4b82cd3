import { getDateFormat, getRelativeTimeFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

/** With `hour` and `minute`, Chromium drops the leading zero that German and British times have. */
const TIME = { timeStyle: "short" } as const;
const FULL = { dateStyle: "full", timeStyle: "short" } as const;
const DAY = { weekday: "long", day: "numeric", month: "long" } as const;
const DAY_AND_YEAR = { dateStyle: "long" } as const;
const SHORT_DAY = { day: "numeric", month: "short" } as const;
const SHORT_DATE = { dateStyle: "short" } as const;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const WEEK = 7;

/** The time of day of an ISO time, in the reader's language, and in their time zone by default. */
export const timeOf = (at: string, timeZone?: string) =>
  getDateFormat(currentLocale(), timeZone ? { ...TIME, timeZone } : TIME).format(new Date(at));
/** The time of day without "AM" or "PM", where space is scarce. */
export const shortTimeOf = (at: string) =>
  getDateFormat(currentLocale(), TIME)
    .formatToParts(new Date(at))
    .filter(({ type }) => type !== "dayPeriod")
    .map(({ value }) => value)
    .join("")
    .trim();
/** The day and the time of an ISO time, in the reader's zone and language. */
export const fullTimeOf = (at: string) => getDateFormat(currentLocale(), FULL).format(new Date(at));
/** The key of a local day: equal for two times on the same day. */
export const dayKey = (at: string) => new Date(at).toDateString();

/** The weekday and the date, short enough for a phone. */
export const shortDateOf = (date: Date) =>
  getDateFormat(currentLocale(), { weekday: "short", ...SHORT_DAY }).format(date);

/** "today", "yesterday" or the date, within a sentence. */
function dayWithin(at: string): string {
  const date = new Date(at);
  const now = new Date();
  const days = daysBefore(date, now);
  if (days <= 1)
    return getRelativeTimeFormat(currentLocale(), { numeric: "auto" }).format(
      -Math.max(0, days),
      "day",
    );
  const isThisYear = date.getFullYear() === now.getFullYear();
  return getDateFormat(currentLocale(), isThisYear ? DAY : DAY_AND_YEAR).format(date);
}

/** The number of midnights in the reader's time zone between two times; 0 or less for today. */
function daysBefore(date: Date, now: Date): number {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.ceil((midnight.getTime() - date.getTime()) / DAY_MS);
}

/** "Today", "Yesterday" or the date, on its own. */
export const dayName = (at: string) => asBeginning(dayWithin(at));
/** "today, 14:05": within a sentence. */
export const atTime = (at: string) => t("when", { day: dayWithin(at), time: timeOf(at) });
/** "Today, 14:05": on its own. */
export const formatWhen = (at: string) => asBeginning(atTime(at));

/** Capitalizes words, for the beginning of a sentence. */
export function asBeginning(words: string): string {
  return words.charAt(0).toLocaleUpperCase(currentLocale()) + words.slice(1);
}

/** "now", "20 min ago" up to a day, then "yesterday" or the date. */
export function formatAgo(at: string, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(at)) / MINUTE_MS));
  if (minutes >= 24 * 60) return dayWithin(at);
  const format = getRelativeTimeFormat(currentLocale(), { numeric: "auto", style: "short" });
  if (minutes === 0) return format.format(0, "second");
  if (minutes < 60) return format.format(-minutes, "minute");
  return format.format(-Math.floor(minutes / 60), "hour");
}

/**
 * How long ago a time was, short enough to leave space for a name on a phone: "20 min ago",
 * "yesterday", "18 Nov".
 */
export function formatShortAgo(at: string): string {
  const date = new Date(at);
  const now = new Date();
  if (daysBefore(date, now) <= 1) return formatAgo(at);
  const isThisYear = date.getFullYear() === now.getFullYear();
  return getDateFormat(currentLocale(), isThisYear ? SHORT_DAY : SHORT_DATE).format(date);
}

/** "tomorrow 9:00": a future time within a sentence. */
export function whenAhead(at: Date, now = new Date()): string {
  return t("ahead", { day: dayAhead(at, now), time: timeOf(at.toISOString()) });
}

/** "15:00" for a time of today, else "tomorrow 9:00": what follows "until". */
export function untilTime(at: string): string {
  const isToday = dayKey(at) === new Date().toDateString();
  return isToday ? t("until-today", { time: timeOf(at) }) : whenAhead(new Date(at));
}

/** "Tomorrow 9:00": a future time on its own, such as in a menu. */
export function whenLabel(at: Date, now = new Date()): string {
  return asBeginning(whenAhead(at, now));
}

/** "today", a weekday such as "Monday" within a week, or the date. */
export function dayAhead(at: Date, now = new Date()): string {
  const start = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
  const days = Math.round((start(at).getTime() - start(now).getTime()) / DAY_MS);
  const locale = currentLocale();
  if (Math.abs(days) <= 1) {
    return getRelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  }
  const isNear = days > -WEEK && days <= WEEK;
  const year = at.getFullYear() === now.getFullYear() ? undefined : ("numeric" as const);
  const format = isNear
    ? ({ weekday: "long" } as const)
    : ({ day: "numeric", month: "long", year } as const);
  return t("on-day", { day: getDateFormat(locale, format).format(at) });
}
