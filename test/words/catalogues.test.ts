import { describe, expect, test } from "bun:test";
import {
  AREAS,
  argumentsIn,
  catalogueOf,
  isErrorText,
  messagesOf,
  NAMES,
} from "./catalogue-messages.ts";

/** Numbers that people see. Millions have a plural category of their own in Spanish, worded like "other". */
const NUMBERS = Array.from({ length: 1_001 }, (_, n) => n);

describe.each(NAMES)("the catalogue of %s", (language) => {
  test("has the keys of the English one, each once", async () => {
    for (const area of AREAS) {
      const keys = (await messagesOf(area, language)).map(([key]) => key);
      const english = (await messagesOf(area, "en")).map(([key]) => key);
      expect(keys.filter((key) => !isErrorText(key)).sort()).toEqual(english.sort());
    }
    const all = (await Promise.all(AREAS.map((area) => messagesOf(area, language)))).flat();
    expect(all.length).toBe((await catalogueOf(language)).size);
  });

  test("has the arguments of the English one in each message", async () => {
    const english = await catalogueOf("en");
    const filled = (message: Parameters<typeof argumentsIn>[0] | undefined) =>
      [...new Set(argumentsIn(message ?? "").map(({ name, kind }) => `${name} ${kind}`))].sort();
    const [own, theirs] = [await catalogueOf(language), [...english]];
    for (const [key, message] of theirs) {
      expect([key, ...filled(own.get(key))]).toEqual([key, ...filled(message)]);
    }
  });

  test("has every plural category of its language", async () => {
    const rules = new Intl.PluralRules(language);
    const needed = new Set<string>(NUMBERS.map((n) => rules.select(n)));
    const plurals = [...(await catalogueOf(language))].flatMap(([key, message]) =>
      argumentsIn(message)
        .filter(({ kind }) => kind === "plural")
        .map(({ choices }) => ({ key, missing: [...needed].filter((n) => !choices.includes(n)) })),
    );
    expect(plurals.length).toBeGreaterThan(0);
    expect(plurals.filter(({ missing }) => missing.length > 0)).toEqual([]);
  });
});

test("every language has the same choices", async () => {
  const choices = async (language: (typeof NAMES)[number]) =>
    [...(await catalogueOf(language))].flatMap(([key, message]) =>
      argumentsIn(message)
        .filter(({ kind }) => kind === "select")
        .map((argument) => `${key}: ${argument.choices.sort().join(" ")}`),
    );
  const english = await choices("en");
  expect(english.length).toBeGreaterThan(0);
  for (const language of NAMES) expect(await choices(language)).toEqual(english);
});

test("German and Spanish translate the same error codes, English none", async () => {
  const [en, de, es] = await Promise.all(
    (["en", "de", "es"] as const).map(async (language) =>
      [...(await catalogueOf(language)).keys()].filter(isErrorText).sort(),
    ),
  );
  expect(en).toEqual([]);
  expect(de).toEqual(es ?? []);
  expect(de?.length).toBeGreaterThan(0);
});
