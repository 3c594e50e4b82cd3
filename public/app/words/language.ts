/** The languages of the client, each under its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" } as const;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(name: string | null): name is Language {
  return name !== null && Object.hasOwn(LANGUAGES, name);
}

/** The language subtag of a locale (BCP 47): `de` of `de-AT`. */
const baseOf = (locale: string) => locale.toLowerCase().split("-")[0] ?? "";

/**
 * The language to use: the chosen one, or else the first of the browser's languages that has a
 * catalogue.
 * @param preferred the browser's languages, most preferred first
 */
export function languageFor(chosen: string | null, preferred: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return preferred.map(baseOf).find(isLanguage) ?? "en";
}

/**
 * The locale for dates and numbers: the browser's own, with its country, if it is in the language
 * in use.
 */
export function localeFor(language: Language, preferred: readonly string[]): string {
  return preferred.find((locale) => baseOf(locale) === language && isTag(locale)) ?? language;
}

/** Chromium without a system language reports `en-US@posix`, which Intl rejects. */
function isTag(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length > 0;
  } catch {
    return false;
  }
}
