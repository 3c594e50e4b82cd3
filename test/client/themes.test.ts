import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { measureContrast } from "../../public/app/state/palette.ts";

const APP = join(import.meta.dir, "../../public/app");
const css = readFileSync(join(import.meta.dir, "../../public/style/tokens.css"), "utf8");

/** The twelve colours of a preset. Those of light and dark are in one rule. */
function colours(preset: string): Record<string, string> {
  const rules = [...css.matchAll(/([^{}]*)\{([^}]*)\}/g)];
  const [, , rule = ""] =
    rules.find(([, to, body]) => to?.includes(`"${preset}"`) && body?.includes("--text")) ?? [];
  return Object.fromEntries(
    [...rule.matchAll(/--([a-z-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g)].map(
      ([, name, color, dark]) => [name, preset === "dark" ? dark : color],
    ),
  );
}

describe.each(["light", "dark", "midnight", "sunset"])("the preset %s", (preset) => {
  const all = colours(preset);
  const colour = (name: string) => all[name] ?? "";

  test("has the twelve colours", () => {
    expect(Object.keys(all)).toHaveLength(12);
  });

  test.each(["background", "surface", "sidebar", "highlight"])(
    "reaches 4.5:1 for text on %s",
    (ground) => {
      for (const ink of ["text", "text-muted", "accent-strong", "danger"]) {
        expect({ ink, ratio: measureContrast(colour(ink), colour(ground)) }).toEqual({
          ink,
          ratio: expect.any(Number),
        });
        expect(measureContrast(colour(ink), colour(ground))).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  test("reaches 4.5:1 for the words of a button and 3:1 for its edge", () => {
    expect(measureContrast(colour("on-accent"), colour("accent"))).toBeGreaterThanOrEqual(4.5);
    expect(measureContrast(colour("accent"), colour("background"))).toBeGreaterThanOrEqual(3);
  });
});

test("a part of the page is light or dark by the style sheet alone", () => {
  // The bundler replaces light-dark() by variables, which it sets where a style sheet sets color-scheme.
  const setters = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(APP)].filter((path) =>
    /colorScheme\s*[:=][^=]|"color-scheme"/.test(readFileSync(join(APP, path), "utf8")),
  );
  expect(setters).toEqual([]);
});
