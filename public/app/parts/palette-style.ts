import type { Colors } from "../../../src/wire/models.ts";
import { COLORS, variableOf } from "../state/palette.ts";
import { storeIfSpace, localStore } from "../connection/storage.ts";

/** The attributes that show a part of the page in a custom theme. */
export function customThemeProps(colors: Colors, isDark: boolean) {
  return {
    style: Object.fromEntries(COLORS.map((name) => [variableOf(name), colors[name]])),
    "data-scheme": schemeOf(isDark),
  };
}

/** The attribute value that the style sheet maps to a `color-scheme`. */
const schemeOf = (isDark: boolean) => (isDark ? "dark" : "light");

/** The colours of the page as shown, in the format of a native colour input. */
export function shownColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  // The style sheet may say `#fff` or `white`; a canvas returns the long form.
  const canvas = document.createElement("canvas").getContext("2d");
  const entries = COLORS.map((name) => {
    const value = style.getPropertyValue(variableOf(name)).trim();
    if (!canvas) return [name, value];
    canvas.fillStyle = value;
    return [name, canvas.fillStyle];
  });
  return Object.fromEntries(entries) as Colors;
}

export type ShownTheme = { theme: string; colors: Colors | null; isDark: boolean };

/** Applies a preset, a custom theme, or for null, the device's light or dark theme. */
export function showTheme(theme: ShownTheme | null): void {
  const { dataset, style } = document.documentElement;
  // Without a theme, the style sheet follows the device.
  if (theme) dataset.theme = theme.theme;
  else delete dataset.theme;
  for (const name of COLORS) {
    if (theme?.colors) style.setProperty(variableOf(name), theme.colors[name]);
    else style.removeProperty(variableOf(name));
  }
  if (theme?.colors) dataset.scheme = schemeOf(theme.isDark);
  else delete dataset.scheme;
}

/** Gives the browser's own bars the theme's colour, once the page is styled. */
export function tintBrowser(isChosen: boolean): void {
  document.querySelector('meta[name="theme-color"]:not([media])')?.remove();
  if (!isChosen) return;
  const tint = document.createElement("meta");
  tint.name = "theme-color";
  tint.content = getComputedStyle(document.documentElement).getPropertyValue("--sidebar");
  // The first matching tag wins.
  document.head.prepend(tint);
}

const KEY = "snug.theme";

/** Stores the theme for the next first paint. Null follows the device, so nothing is stored. */
export function storeTheme(theme: ShownTheme | null): void {
  storeIfSpace(localStore, KEY, theme && JSON.stringify(theme));
}

/** The theme of the last person who signed in, so that the first paint has the right colours. */
export function readStoredTheme(): ShownTheme | null {
  try {
    return JSON.parse(localStore.getItem(KEY) ?? "null") as ShownTheme | null;
  } catch {
    return null;
  }
}
