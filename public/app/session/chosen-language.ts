import { effect, signal } from "@preact/signals";
import { type Language, languageFor, localeFor } from "../words/language.ts";
import { currentLanguage, setLanguage } from "../words/translate.ts";
import { storeIfSpace, localStore } from "../connection/storage.ts";

const LANGUAGE_KEY = "snug.language";
/** The language chosen in this browser; null follows the browser's setting. */
export const chosenLanguage = signal(localStore.getItem(LANGUAGE_KEY));
export const CLOCK_KEY = "snug.clock";
/** The hours of a day as chosen in this browser, "h12" or "h23"; null follows the language. */
export const chosenClock = signal(localStore.getItem(CLOCK_KEY));

/** @param name null follows the browser's setting */
export function chooseLanguage(name: Language | null): void {
  storeIfSpace(localStore, LANGUAGE_KEY, name);
  chosenLanguage.value = name;
}

/**
 * Loads the words of the reader's language, now and when another language is chosen in any tab.
 * @returns resolves once the first words are loaded, or the English ones if that fails
 */
export async function watchLanguage(): Promise<void> {
  let first: Promise<void> | undefined;
  const applyLanguage = () => {
    const language = languageFor(chosenLanguage.value, navigator.languages);
    const hourCycle = (["h12", "h23"] as const).find((clock) => clock === chosenClock.value);
    const locale = new Intl.Locale(localeFor(language, navigator.languages), { hourCycle });
    const loading = setLanguage(language, `${locale}`);
    first ??= loading;
    // If the words do not load, the current language stays.
    loading.catch(() => {});
  };
  effect(applyLanguage);
  effect(() => {
    document.documentElement.lang = currentLanguage();
  });
  addEventListener("languagechange", applyLanguage);
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === LANGUAGE_KEY) chosenLanguage.value = newValue;
    if (key === CLOCK_KEY) chosenClock.value = newValue;
  });
  await first?.catch(() => {});
}
