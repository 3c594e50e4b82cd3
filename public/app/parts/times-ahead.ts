import { getDateFormat, getRelativeTimeFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";
import { timeOf } from "./times.ts";

const DAY_MS = 86_400_000;
const WEEK = 7;

/** "tomorrow 9:00": a time ahead, or a scheduled one, within a sentence. */
export function whenAhead(at: Date, now = new Date()): string {
  return t("ahead", { day: dayAhead(at, now), time: timeOf(at.toISOString()) });
}

/** "Tomorrow 9:00": the same by itself, in a menu. */
export function whenLabel(at: Date, now = new Date()): string {
  const words = whenAhead(at, now);
  return words.charAt(0).toLocaleUpperCase(currentLocale()) + words.slice(1);
}

/** "today", "Monday" within a week, or the date. */
export function dayAhead(at: Date, now = new Date()): string {
  const start = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
  const days = Math.round((start(at).getTime() - start(now).getTime()) / DAY_MS);
  const locale = currentLocale();
  if (Math.abs(days) <= 1) {
    return getRelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  }
  if (Math.abs(days) < WEEK) return getDateFormat(locale, { weekday: "long" }).format(at);
  const year = at.getFullYear() === now.getFullYear() ? undefined : ("numeric" as const);
  return getDateFormat(locale, { day: "numeric", month: "long", year }).format(at);
}
