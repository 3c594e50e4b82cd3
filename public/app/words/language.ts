/** The languages that all words are there for, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" } as const;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(name: string | null): name is Language {
  return name !== null && Object.hasOwn(LANGUAGES, name);
}

/** What a locale (BCP 47) begins with: `de` of `de-AT`. */
const baseOf = (locale: string) => locale.toLowerCase().split("-")[0] ?? "";

/**
 * The language to speak: what was chosen, else the first of the browser's that we know.
 * @param wanted the browser's languages, the dearest first
 */
export function languageFor(chosen: string | null, wanted: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return wanted.map(baseOf).find(isLanguage) ?? "en";
}

/** How dates and numbers are written: as the reader's own country does, where it is of that language. */
export function localeFor(language: Language, wanted: readonly string[]): string {
  return wanted.find((locale) => baseOf(locale) === language && isTag(locale)) ?? language;
}

/** Chromium without a language of the system says `en-US@posix`, which Intl throws at. */
function isTag(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length > 0;
  } catch {
    return false;
  }
}
