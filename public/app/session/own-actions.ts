import type { Preset } from "../../../src/wire/models.ts";
import { untilTime } from "../parts/times.ts";
import { t } from "../words/translate.ts";
import { pausedUntil, pauseUntil } from "./pause-notifications.ts";
import { store } from "./store.ts";
import { choosePreset, followDevice } from "./theme.ts";
import { reportOutcome } from "./toasts.ts";

/** Pauses notifications, or resumes them if null, and shows a toast that offers to undo it. */
export function pauseNotifications(until: Date | null): void {
  const last = pausedUntil();
  const before = last === null ? null : new Date(last);
  const describe = (time: Date | null) =>
    time ? t("switcher.paused", { when: untilTime(time.toISOString()) }) : t("switcher.resumed");
  const undo = () => reportOutcome(pauseUntil(before), () => describe(before));
  reportOutcome(pauseUntil(until), () => describe(until), undo);
}

/**
 * Changes the theme, and shows a toast.
 * @param preset null follows the device's light or dark theme
 */
export function selectTheme(preset: Preset | null): void {
  reportOutcome(preset ? choosePreset(preset) : followDevice(), () => t("switcher.themed"));
}

export function appearOffline(appear_offline: boolean): void {
  reportOutcome(store.call("PATCH /api/auth/me", { body: { appear_offline } }), () =>
    t(appear_offline ? "own.is-offline" : "own.is-shown"),
  );
}
