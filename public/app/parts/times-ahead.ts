import { getDateFormat, getRelativeTimeFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";
import { dayKey, timeOf } from "./times.ts";

const DAY_MS = 86_400_000;
const WEEK = 7;

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
  const words = whenAhead(at, now);
  return words.charAt(0).toLocaleUpperCase(currentLocale()) + words.slice(1);
}

/** "today", a weekday such as "Monday" within a week, or the date. */
export function dayAhead(at: Date, now = new Date()): string {
  const start = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
  const days = Math.round((start(at).getTime() - start(now).getTime()) / DAY_MS);
  const locale = currentLocale();
  if (Math.abs(days) <= 1) {
    return getRelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  }
  if (days > -WEEK && days <= WEEK) return getDateFormat(locale, { weekday: "long" }).format(at);
  const year = at.getFullYear() === now.getFullYear() ? undefined : ("numeric" as const);
  return getDateFormat(locale, { day: "numeric", month: "long", year }).format(at);
}
