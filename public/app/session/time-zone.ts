import { computed, effect } from "@preact/signals";
import { store } from "./store.ts";

/** The time zone of this device, in which times are shown and chosen. */
export const currentZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The person who is signed in; undefined while nobody is. */
const signedInId = computed(() =>
  store.phase.value === "signed-in" ? store.me.value?.id : undefined,
);

/**
 * Saves this device's time zone, which others see, when the page is opened or shown again. If it
 * were saved whenever the account changes, two devices in two zones would overwrite each other
 * forever.
 */
export function watchTimeZone(): void {
  effect(() => {
    if (signedInId.value) saveTimeZone();
  });
  document.addEventListener("visibilitychange", saveTimeZone);
}

function saveTimeZone(): void {
  const me = store.me.peek();
  const time_zone = currentZone();
  if (document.hidden || !signedInId.peek() || me?.time_zone === time_zone) return;
  // It is saved the next time that the page is shown.
  store.call("PATCH /api/auth/me", { body: { time_zone } }).catch(() => {});
}
