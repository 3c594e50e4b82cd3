import { effect } from "@preact/signals";
import type { Me, Preset } from "../../../src/wire/models.ts";
import { storeTheme, type ShownTheme, showTheme, tintBrowser } from "../parts/palette-style.ts";
import type { State } from "../state/model/model.ts";
import { store } from "./store.ts";

export const PRESETS = ["light", "dark", "midnight", "sunset"] as const satisfies Preset[];

/** Applies the theme of the account. Until it is loaded, the theme of the first paint stays. */
export function watchTheme(): void {
  tintBrowser("theme" in document.documentElement.dataset);
  effect(() => {
    const me = store.me.value;
    if (!me) return;
    const theme = me.follows_system ? null : themeOf(me);
    showTheme(theme);
    storeTheme(theme);
    tintBrowser(theme !== null);
  });
}

function themeOf({ theme, active_custom_theme: custom }: Me): ShownTheme {
  return { theme, colors: custom?.colors ?? null, isDark: custom?.is_dark ?? true };
}

/**
 * Applies a change of theme at once, and restores the previous one if the service refuses it.
 * @throws ApiError
 */
export async function changeTheme(change: Partial<Me>, save: () => Promise<Me>): Promise<void> {
  const withChange = (state: State) => {
    return state.me ? { ...state, me: { ...state.me, ...change } } : state;
  };
  await store.change(withChange, save);
}

/** @throws ApiError */
export const choosePreset = (theme: Preset): Promise<void> =>
  changeTheme({ theme, follows_system: false, active_custom_theme: null }, () =>
    store.call("PATCH /api/auth/me", { body: { theme } }),
  );

/**
 * Follows the device's light or dark theme.
 * @throws ApiError
 */
export const followDevice = (): Promise<void> =>
  changeTheme({ follows_system: true }, () =>
    store.call("PATCH /api/auth/me", { body: { follows_system: true } }),
  );
