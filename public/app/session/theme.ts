import { effect } from "@preact/signals";
import type { Me } from "../../../src/wire/models.ts";
import { keepTheme, type ShownTheme, showTheme, tintBrowser } from "../parts/palette-style.ts";
import { store } from "./store.ts";

/** Shows the theme of the account; the theme of the first paint stays until it is loaded. */
export function watchTheme(): void {
  tintBrowser("theme" in document.documentElement.dataset);
  effect(() => {
    const me = store.me.value;
    if (!me) return;
    const theme = me.follows_system ? null : themeOf(me);
    showTheme(theme);
    keepTheme(theme);
    tintBrowser(theme !== null);
  });
}

function themeOf({ theme, active_custom_theme: custom }: Me): ShownTheme {
  return { theme, colors: custom?.colors ?? null, isDark: custom?.is_dark ?? true };
}
