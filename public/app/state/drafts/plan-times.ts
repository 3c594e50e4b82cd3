type CommonKey = "hour" | "evening" | "tomorrow" | "monday";
type PlannedTime<Key = CommonKey | "recent"> = { key: Key; at: Date };

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MORNING = 9;
const EVENING = 18;
const MONDAY = 1;
const DAYS_OF_WEEK = 7;

/** A time of day in the reader's time zone, a number of days after a given time. */
export function timeOnDay(now: Date, days: number, hour: number, minute = 0): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour, minute);
}

/** The suggested times to send later: first the person's last two times of day. */
export function sendTimes(now: Date, recent: string[]): PlannedTime[] {
  const again = recent.flatMap((time): PlannedTime[] => {
    const at = nextAt(now, time);
    return at ? [{ key: "recent", at }] : [];
  });
  const isNew = ({ at }: PlannedTime) => again.every((item) => item.at.getTime() !== at.getTime());
  return [...again, ...reminderTimes(now).filter(isNew)];
}

/**
 * In an hour, this evening, tomorrow and next Monday at nine, without times that have passed or
 * repeat.
 */
export function reminderTimes(now: Date): PlannedTime<CommonKey>[] {
  const inAnHour = new Date(Math.ceil((now.getTime() + HOUR_MS) / MINUTE_MS) * MINUTE_MS);
  const evening = timeOnDay(now, 0, EVENING);
  const toMonday = (MONDAY - now.getDay() + DAYS_OF_WEEK) % DAYS_OF_WEEK || DAYS_OF_WEEK;
  return [
    { key: "hour", at: inAnHour },
    ...(evening.getTime() - now.getTime() > HOUR_MS
      ? [{ key: "evening" as const, at: evening }]
      : []),
    { key: "tomorrow", at: timeOnDay(now, 1, MORNING) },
    ...(toMonday > 1 ? [{ key: "monday" as const, at: timeOnDay(now, toMonday, MORNING) }] : []),
  ];
}

/** The next time at which the reader's clock shows a time like "9:30"; null for other texts. */
function nextAt(now: Date, time: string): Date | null {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hour === undefined) return null;
  const today = timeOnDay(now, 0, Number(hour), Number(minute));
  const isAhead = today.getTime() - now.getTime() >= MINUTE_MS;
  return isAhead ? today : timeOnDay(now, 1, Number(hour), Number(minute));
}

/** A time of day in the form in which it is stored: "09:30". */
export function timeOfDay(at: Date): string {
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** A time as the value of a `datetime-local` field. */
export function toLocalField(at: Date): string {
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  const [year = "", month = "", date = ""] = day.map((part) => String(part).padStart(2, "0"));
  return `${year}-${month}-${date}T${timeOfDay(at)}`;
}

/** The time of a `datetime-local` value; null if it is empty or invalid. */
export function fromLocalField(value: string): Date | null {
  const at = new Date(value);
  return value === "" || Number.isNaN(at.getTime()) ? null : at;
}
