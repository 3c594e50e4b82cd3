import type { Colors } from "../../../src/wire/models.ts";

type ColorName = keyof Colors;

/** The twelve colours in the order in which the editor shows them. */
export const COLORS: ColorName[] = [
  "background",
  "surface",
  "sidebar",
  "border",
  "text",
  "text_muted",
  "accent",
  "accent_strong",
  "accent_soft",
  "highlight",
  "danger",
  "on_accent",
];

export function variableOf(name: ColorName): string {
  return `--${name.replaceAll("_", "-")}`;
}

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export function measureContrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** Text colours with their backgrounds; each pair needs 4.5 to 1 (WCAG 2.2, 1.4.3, level AA). */
const READ: [ColorName, ColorName][] = [
  ["text", "background"],
  ["text", "surface"],
  ["text", "sidebar"],
  ["text", "highlight"],
  ["text_muted", "background"],
  ["text_muted", "sidebar"],
  ["accent_strong", "background"],
  ["accent_strong", "accent_soft"],
  ["on_accent", "accent"],
  ["danger", "background"],
];
export const NEEDED = 4.5;

type Warning = { text: ColorName; ground: ColorName; ratio: number };

/** Pairs with too little contrast, the worst first. */
export function warningsOf(colors: Colors): Warning[] {
  return READ.map(([text, ground]) => ({
    text,
    ground,
    ratio: measureContrast(colors[text], colors[ground]),
  }))
    .filter(({ ratio }) => ratio < NEEDED)
    .sort((a, b) => a.ratio - b.ratio);
}
