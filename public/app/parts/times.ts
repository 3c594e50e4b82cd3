const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const dayAndYear = new Intl.DateTimeFormat(undefined, { dateStyle: "long" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const DAY_MS = 86_400_000;

export const timeOf = (at: string) => time.format(new Date(at));
export const fullTimeOf = (at: string) => full.format(new Date(at));
/** Names the local day: equal for two times of one day. */
export const dayKey = (at: string) => new Date(at).toDateString();

/** "Today", "Yesterday", or the date. */
export function dayName(at: string): string {
  const date = new Date(at);
  const now = new Date();
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const days = Math.ceil((midnight.getTime() - date.getTime()) / DAY_MS);
  if (days <= 1) {
    const name = relative.format(-Math.max(0, days), "day");
    return name.charAt(0).toLocaleUpperCase() + name.slice(1);
  }
  return date.getFullYear() === now.getFullYear() ? day.format(date) : dayAndYear.format(date);
}
