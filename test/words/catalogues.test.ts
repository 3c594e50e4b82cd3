import { describe, expect, test } from "bun:test";
import { AREAS, argumentsIn, catalogueOf, isOfProblems, messagesOf, NAMES } from "./languages.ts";

/** Numbers that people meet: those of a million have a plural of their own in Spanish, like the other. */
const NUMBERS = Array.from({ length: 1_001 }, (_, n) => n);

describe.each(NAMES)("the catalogue of %s", (language) => {
  test("has the keys of the English one, each once", async () => {
    for (const area of AREAS) {
      const keys = (await messagesOf(area, language)).map(([key]) => key);
      const english = (await messagesOf(area, "en")).map(([key]) => key);
      expect(keys.filter((key) => !isOfProblems(key)).sort()).toEqual(english.sort());
    }
    const all = (await Promise.all(AREAS.map((area) => messagesOf(area, language)))).flat();
    expect(all.length).toBe((await catalogueOf(language)).size);
  });

  test("fills each message with the same", async () => {
    const english = await catalogueOf("en");
    const filled = (message: Parameters<typeof argumentsIn>[0] | undefined) =>
      [...new Set(argumentsIn(message ?? "").map(({ name, kind }) => `${name} ${kind}`))].sort();
    const [own, theirs] = [await catalogueOf(language), [...english]];
    for (const [key, message] of theirs) {
      expect([key, ...filled(own.get(key))]).toEqual([key, ...filled(message)]);
    }
  });

  test("says each number in the plural that it needs", async () => {
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

test("every choice of one language is one of the others", async () => {
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

test("what the service refuses is said by German and Spanish alike, and left to it in English", async () => {
  const [en, de, es] = await Promise.all(
    (["en", "de", "es"] as const).map(async (language) =>
      [...(await catalogueOf(language)).keys()].filter(isOfProblems).sort(),
    ),
  );
  expect(en).toEqual([]);
  expect(de).toEqual(es ?? []);
  expect(de?.length).toBeGreaterThan(0);
});
