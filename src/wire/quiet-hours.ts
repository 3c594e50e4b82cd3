import type { QuietHours } from "./models.ts";

/** Cached formatters by time zone (there are about 600), because creating one is slow. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 1_000;
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** @throws RangeError for a time zone that does not exist */
export function checkTimeZone(timeZone: string): void {
  formatOf(timeZone);
}

/** In the person's time zone. A period that does not end after its start ends the next day. */
export function isQuiet(hours: QuietHours | null, at: Date): boolean {
  if (!hours) return false;
  const parts = formatOf(hours.time_zone).formatToParts(at);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  const day = DAYS.indexOf(partOf("weekday"));
  const time = `${partOf("hour")}:${partOf("minute")}`;
  const today = hours.days[day];
  const yesterday = hours.days[(day + 6) % 7];
  // HH:MM strings compare chronologically.
  const isOverNight = (period: { from: string; to: string }) => period.to <= period.from;
  if (today && time >= today.from && (isOverNight(today) || time < today.to)) return true;
  return Boolean(yesterday && isOverNight(yesterday) && time < yesterday.to);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cachedFormat = formats.get(timeZone);
  if (cachedFormat) return cachedFormat;
  const options = {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  } as const;
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}
