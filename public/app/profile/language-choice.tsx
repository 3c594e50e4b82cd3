import { chooseLanguage, chosenLanguage } from "../session/chosen-language.ts";
import { Select } from "../parts/field.tsx";
import { isLanguage, LANGUAGES, languageFor } from "../words/language.ts";
import { t } from "../words/translate.ts";

/** The language of the client, stored in this browser. Each language is listed by its own name. */
export function LanguageChoice() {
  const chosen = chosenLanguage.value;
  const browser = LANGUAGES[languageFor(null, navigator.languages)];
  return (
    <section class="card">
      <Select
        label={t("language.title")}
        hint={t("language.hint")}
        value={isLanguage(chosen) ? String(chosen) : ""}
        options={[["", t("language.browser", { language: browser })], ...Object.entries(LANGUAGES)]}
        onValue={(name) => chooseLanguage(isLanguage(name) ? name : null)}
      />
    </section>
  );
}
