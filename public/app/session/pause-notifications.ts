import { store } from "./store.ts";

const HOUR_MS = 3_600_000;
/** The hour of the day at which "until tomorrow" ends. */
const MORNING = 9;

/** The times until which notifications can be paused. */
export const inAnHour = () => new Date(Date.now() + HOUR_MS);

/** Tomorrow at nine. */
export function tomorrow(): Date {
  const time = new Date();
  time.setDate(time.getDate() + 1);
  time.setHours(MORNING, 0, 0, 0);
  return time;
}

/** The time until which the reader's notifications are paused; null if they are not. */
export function pausedUntil(): string | null {
  const until = store.me.value?.push_paused_until ?? null;
  return until !== null && Date.parse(until) > Date.now() ? until : null;
}

/** Pauses notifications on all devices; null resumes them. @throws ApiError */
export async function pauseUntil(time: Date | null): Promise<void> {
  const body = { push_paused_until: time?.toISOString() ?? null };
  await store.call("PATCH /api/auth/me", { body });
}
