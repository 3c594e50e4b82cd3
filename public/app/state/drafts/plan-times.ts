type CommonKey = "hour" | "evening" | "tomorrow" | "monday";
/** A time that is offered for a reminder or for sending later. */
type PlannedTime<Key = CommonKey | "recent"> = { key: Key; at: Date };

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MORNING = 9;
const EVENING = 18;
const MONDAY = 1;
const DAYS_OF_WEEK = 7;

/** A time of day on the reader's clock, some days after a moment. */
export function onDay(now: Date, days: number, hour: number, minute = 0): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour, minute);
}

/** In an hour, this evening, tomorrow and next Monday at nine, without past or equal times. */
export function reminderTimes(now: Date): PlannedTime<CommonKey>[] {
  const inAnHour = new Date(Math.ceil((now.getTime() + HOUR_MS) / MINUTE_MS) * MINUTE_MS);
  return [{ key: "hour", at: inAnHour }, ...commonTimes(now)];
}

/** The times that are offered for sending later: the person's last two times of day first. */
export function sendTimes(now: Date, recent: string[]): PlannedTime[] {
  const again = recent.flatMap((time): PlannedTime[] => {
    const at = nextAt(now, time);
    return at ? [{ key: "recent", at }] : [];
  });
  const isNew = ({ at }: PlannedTime) => again.every((item) => item.at.getTime() !== at.getTime());
  return [...again, ...commonTimes(now).filter(isNew)];
}

function commonTimes(now: Date): PlannedTime<CommonKey>[] {
  const evening = onDay(now, 0, EVENING);
  const toMonday = (MONDAY - now.getDay() + DAYS_OF_WEEK) % DAYS_OF_WEEK || DAYS_OF_WEEK;
  return [
    ...(evening.getTime() - now.getTime() > HOUR_MS
      ? [{ key: "evening" as const, at: evening }]
      : []),
    { key: "tomorrow", at: onDay(now, 1, MORNING) },
    ...(toMonday > 1 ? [{ key: "monday" as const, at: onDay(now, toMonday, MORNING) }] : []),
  ];
}

/** The next moment at which the reader's clock shows a time like "9:30"; null for anything else. */
function nextAt(now: Date, time: string): Date | null {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hour === undefined) return null;
  const today = onDay(now, 0, Number(hour), Number(minute));
  const isAhead = today.getTime() - now.getTime() >= MINUTE_MS;
  return isAhead ? today : onDay(now, 1, Number(hour), Number(minute));
}

/** A time of day in the form in which it is stored: "09:30". */
export function timeOfDay(at: Date): string {
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** A moment as the value of a `datetime-local` field. */
export function toLocalField(at: Date): string {
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  const [year = "", month = "", date = ""] = day.map((part) => String(part).padStart(2, "0"));
  return `${year}-${month}-${date}T${timeOfDay(at)}`;
}

/** The moment of such a value; null if it is empty or invalid. */
export function fromLocalField(value: string): Date | null {
  const at = new Date(value);
  return value === "" || Number.isNaN(at.getTime()) ? null : at;
}
