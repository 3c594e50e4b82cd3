import type { Colors } from "../../../src/wire/models.ts";
import { COLORS, variableOf } from "../state/palette.ts";

/** The variables that draw a part of the page in these colours. */
export function paletteStyle(colors: Colors): Record<string, string> {
  return Object.fromEntries(COLORS.map((name) => [variableOf(name), colors[name]]));
}

/** The colours that the page is shown in, as a native colour input takes them. */
export function shownColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  // The style sheet may say `#fff` or `white`; a canvas says what that is in full.
  const canvas = document.createElement("canvas").getContext("2d");
  const entries = COLORS.map((name) => {
    const written = style.getPropertyValue(variableOf(name)).trim();
    if (!canvas) return [name, written];
    canvas.fillStyle = written;
    return [name, canvas.fillStyle];
  });
  return Object.fromEntries(entries) as Colors;
}

type Theme = { theme: string; colors: Colors | null; isDark: boolean };

/** Draws the page in a preset, or in colours of one's own. */
export function showTheme({ theme, colors, isDark }: Theme): void {
  const { dataset, style } = document.documentElement;
  dataset.theme = theme;
  for (const name of COLORS) {
    if (colors) style.setProperty(variableOf(name), colors[name]);
    else style.removeProperty(variableOf(name));
  }
  if (colors) style.colorScheme = isDark ? "dark" : "light";
  else style.removeProperty("color-scheme");
}

const KEY = "snug.theme";

export function keepTheme(theme: Theme): void {
  localStorage.setItem(KEY, JSON.stringify(theme));
}

/** The theme of the last one signed in, so that a load does not flash another. */
export function keptTheme(): Theme | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Theme | null;
  } catch {
    return null;
  }
}
