import { timeOnDay } from "./plan-times.ts";

/** The parts of a `/remind` command, or what is missing in it. */
type RemindCommand = { at: Date; text: string } | { problem: "no-time" | "past" | "no-text" };

/** Words of all languages of the client, so that the command works in each of them. */
const ME = /^(?:me|mich|mir|a ?me|me a|recuérdame)(?=\s|$)\s*/iu;
const FILLER = /^(?:at|on|um|am|a las?|el|la|to|that|que|an)\s+/iu;
const DAYS: Record<string, number> = {
  today: 0,
  tomorrow: 1,
  heute: 0,
  morgen: 1,
  übermorgen: 2,
  hoy: 0,
  mañana: 1,
};
const UNITS: [pattern: RegExp, minutes: number][] = [
  [/^(?:m|min|mins|minute|minutes|minuten|minuto|minutos)$/iu, 1],
  [/^(?:h|hr|hrs|hour|hours|std|stunde|stunden|hora|horas)$/iu, 60],
  [/^(?:d|day|days|tag|tage|tagen|día|días|dia|dias)$/iu, 24 * 60],
  [/^(?:w|week|weeks|woche|wochen|semana|semanas)$/iu, 7 * 24 * 60],
];
const SPAN = /^(?:in|en|dentro de)\s+(\d{1,4}|an?|eine[rmn]?|una?)\s*(\p{L}+)\s*/iu;
const CLOCK = /^(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm|uhr|h)?(?=[\s,]|$)[\s,]*/iu;
const WORD = /^(\p{L}+)(?=[\s,]|$)[\s,]*/u;
const MINUTE_MS = 60_000;
const MORNING = 9;
const LANGUAGES = ["en", "de", "es"];
const A_SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** The days of the week in all languages, long and short. */
const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((weekday) => {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" });
      return [0, 1, 2, 3, 4, 5, 6].map((day): [string, number] => [
        format
          .format(new Date(A_SUNDAY + day * DAY_MS))
          .toLowerCase()
          .replace(".", ""),
        day,
      ]);
    }),
  ),
);

/**
 * Reads `/remind me tomorrow 9:00 text`, or with times such as "in 20 minutes" and "Monday".
 * @param now the current time
 */
export function readRemindCommand(command: string, now: Date): RemindCommand {
  const input = command.replace(/^\/remind\s*/i, "").replace(ME, "");
  const span = readSpan(input, now);
  const time = span ?? readTime(input, now);
  if (!time) return { problem: "no-time" };
  const text = time.rest.replace(FILLER, "").trim();
  if (time.at.getTime() - now.getTime() < MINUTE_MS) return { problem: "past" };
  return text === "" ? { problem: "no-text" } : { at: time.at, text };
}

type Read = { at: Date; rest: string };

function readSpan(text: string, now: Date): Read | null {
  const [all = "", count = "", unit = ""] = SPAN.exec(text) ?? [];
  const minutes = UNITS.find(([pattern]) => pattern.test(unit))?.[1];
  if (!minutes) return null;
  const number = /^\d/.test(count) ? Number(count) : 1;
  return {
    at: new Date(now.getTime() + number * minutes * MINUTE_MS),
    rest: text.slice(all.length),
  };
}

/**
 * A day, a time, or both in either order. A day alone means nine o'clock; a time alone means its
 * next occurrence.
 */
function readTime(input: string, now: Date): Read | null {
  let rest = input;
  let days: number | null = null;
  let clock: { hour: number; minute: number } | null = null;
  for (let part = 0; part < 2; part++) {
    const plain = rest.replace(FILLER, "");
    const day: ReadDay | null = days === null ? readDay(plain, now) : null;
    const time: ReadClock | null = clock === null && !day ? readClock(plain) : null;
    if (!day && !time) break;
    if (day) days = day.days;
    if (time) clock = time;
    rest = (day ?? time)?.rest ?? rest;
  }
  if (days === null && !clock) return null;
  const { hour, minute } = clock ?? { hour: MORNING, minute: 0 };
  const at = timeOnDay(now, days ?? 0, hour, minute);
  const isPast = at.getTime() - now.getTime() < MINUTE_MS;
  return { at: days === null && isPast ? timeOnDay(now, 1, hour, minute) : at, rest };
}

type ReadDay = { days: number; rest: string };
type ReadClock = { hour: number; minute: number; rest: string };

function readDay(text: string, now: Date): ReadDay | null {
  const [all = "", word = ""] = WORD.exec(text) ?? [];
  const name = word.toLowerCase();
  const weekday = WEEKDAYS.get(name);
  const ahead = weekday === undefined ? null : (weekday - now.getDay() + 7) % 7 || 7;
  const days = DAYS[name] ?? ahead;
  return days === null ? null : { days, rest: text.slice(all.length) };
}

function readClock(text: string): ReadClock | null {
  const [all = "", hours = "", minutes = "0", half = ""] = CLOCK.exec(text) ?? [];
  const isShort = /^[ap]m$/i.test(half);
  // A number alone may be the start of the text.
  if (!all || (!/[:.h]/i.test(all) && half === "")) return null;
  const read = Number(hours);
  const hour = isShort ? (read % 12) + (half.toLowerCase() === "pm" ? 12 : 0) : read;
  const minute = Number(minutes);
  return hour > 23 || minute > 59 ? null : { hour, minute, rest: text.slice(all.length) };
}
