import { effect, signal } from "@preact/signals";
import { type Language, languageFor, localeFor } from "../words/language.ts";
import { currentLanguage, setLanguage } from "../words/translate.ts";
import { keepIfSpace, localStore } from "../connection/storage.ts";

const LANGUAGE_KEY = "snug.language";
/** The language that was chosen in this browser; null follows the browser's own. */
export const chosenLanguage = signal(localStore.getItem(LANGUAGE_KEY));

/** Sets the language of this browser; null follows the browser's own. */
export function chooseLanguage(name: Language | null): void {
  keepIfSpace(localStore, LANGUAGE_KEY, name);
  chosenLanguage.value = name;
}

/**
 * Loads the words of the reader's language, now and when another one is chosen in any tab.
 * @returns once the first words are loaded; if that fails, with the English ones
 */
export async function watchLanguage(): Promise<void> {
  let first: Promise<void> | undefined;
  const applyLanguage = () => {
    const language = languageFor(chosenLanguage.value, navigator.languages);
    const loading = setLanguage(language, localeFor(language, navigator.languages));
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
  });
  await first?.catch(() => {});
}
