import type { Colors } from "../../../src/wire/models.ts";
import { COLORS, variableOf } from "../state/palette.ts";
import { keepIfSpace, localStore } from "../connection/storage.ts";

/** The attributes that show a part of the page in a custom theme. */
export function customThemeProps(colors: Colors, isDark: boolean) {
  return {
    style: Object.fromEntries(COLORS.map((name) => [variableOf(name), colors[name]])),
    "data-scheme": schemeOf(isDark),
  };
}

/** What the style sheet makes a `color-scheme` of. */
const schemeOf = (isDark: boolean) => (isDark ? "dark" : "light");

/** The colours that the page is shown in, as a native colour input takes them. */
export function shownColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  // The style sheet may say `#fff` or `white`; a canvas returns the full form.
  const canvas = document.createElement("canvas").getContext("2d");
  const entries = COLORS.map((name) => {
    const written = style.getPropertyValue(variableOf(name)).trim();
    if (!canvas) return [name, written];
    canvas.fillStyle = written;
    return [name, canvas.fillStyle];
  });
  return Object.fromEntries(entries) as Colors;
}

export type ShownTheme = { theme: string; colors: Colors | null; isDark: boolean };

/** Applies a preset, a custom theme, or, for null, the device's light or dark. */
export function showTheme(theme: ShownTheme | null): void {
  const { dataset, style } = document.documentElement;
  // Without one, the style sheet asks the device, and again whenever that changes.
  if (theme) dataset.theme = theme.theme;
  else delete dataset.theme;
  for (const name of COLORS) {
    if (theme?.colors) style.setProperty(variableOf(name), theme.colors[name]);
    else style.removeProperty(variableOf(name));
  }
  if (theme?.colors) dataset.scheme = schemeOf(theme.isDark);
  else delete dataset.scheme;
}

/** Gives the browser's own bars the theme's colour too, once the page is styled. */
export function tintBrowser(isChosen: boolean): void {
  document.querySelector('meta[name="theme-color"]:not([media])')?.remove();
  if (!isChosen) return;
  const tint = document.createElement("meta");
  tint.name = "theme-color";
  tint.content = getComputedStyle(document.documentElement).getPropertyValue("--sidebar");
  // The first that matches counts.
  document.head.prepend(tint);
}

const KEY = "snug.theme";

/** Null follows the device, so there is nothing to store. */
export function keepTheme(theme: ShownTheme | null): void {
  keepIfSpace(localStore, KEY, theme && JSON.stringify(theme));
}

/** The theme of the person who signed in last, so that the first paint does not flash another. */
export function keptTheme(): ShownTheme | null {
  try {
    return JSON.parse(localStore.getItem(KEY) ?? "null") as ShownTheme | null;
  } catch {
    return null;
  }
}
