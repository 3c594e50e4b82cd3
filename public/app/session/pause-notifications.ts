import { store } from "./store.ts";

const HOUR_MS = 3_600_000;
/** The hour of the day at which "until tomorrow" ends. */
const MORNING = 9;
const WEEK_DAYS = 7;

export const inAnHour = () => new Date(Date.now() + HOUR_MS);
const inFourHours = () => new Date(Date.now() + 4 * HOUR_MS);
/** Tomorrow at nine. */
export const tomorrow = () => morningIn(1);
/** Monday of the next week, at nine. */
const nextWeek = () => morningIn(WEEK_DAYS - ((new Date().getDay() + WEEK_DAYS - 1) % WEEK_DAYS));

/** Until when notifications can be paused, and a conversation muted. */
export const PAUSES = [
  ["hour", inAnHour],
  ["four-hours", inFourHours],
  ["tomorrow", tomorrow],
  ["week", nextWeek],
] as const;

function morningIn(days: number): Date {
  const time = new Date();
  time.setDate(time.getDate() + days);
  time.setHours(MORNING, 0, 0, 0);
  return time;
}

export function pausedUntil(): string | null {
  return store.me.value?.push_paused_until ?? null;
}

/** Pauses notifications on all devices; null resumes them. @throws ApiError */
export async function pauseUntil(time: Date | null): Promise<void> {
  const body = { push_paused_until: time?.toISOString() ?? null };
  await store.call("PATCH /api/auth/me", { body });
}
