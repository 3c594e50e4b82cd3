import { MAX_DISPLAY_NAME_LENGTH } from "../../../src/wire/limits.ts";
import type { Me } from "../../../src/wire/models.ts";
import { Field, Select, Switch } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useForm } from "../parts/use-action.ts";
import {
  chooseLanguage,
  chosenClock,
  chosenLanguage,
  CLOCK_KEY,
} from "../session/chosen-language.ts";
import { nameOf } from "../session/person.tsx";
import { showToast } from "../session/toasts.ts";
import { isLanguage, languageFor, LANGUAGES } from "../words/language.ts";
import { t } from "../words/translate.ts";
import { AvatarEditor } from "./avatar-editor.tsx";
import { localStore, storeIfSpace } from "../connection/storage.ts";
import { updateMe } from "./update-me.ts";

/** The account's name and picture, and whether it may appear online to others. */
export function Account({ me }: { me: Me }) {
  const { values, action, field, isChanged } = useForm({ display_name: me.display_name ?? "" });
  const submit = async () => {
    await updateMe({ display_name: values.display_name.trim() || null });
    showToast(t("name-saved"));
  };
  return (
    <>
      <section class="card">
        <AvatarEditor me={me}>
          <div>
            <p class="bold truncate" dir="auto">
              {nameOf(me)}
            </p>
            <p class="muted small words">
              @{me.username} · {me.email}
            </p>
          </div>
          <p class="muted small">{t("account.fixed")}</p>
        </AvatarEditor>
        <Form action={action} submit={t("save-name")} disabled={!isChanged} onSubmit={submit}>
          <Field
            label={t("display-name")}
            hint={t("account.name-hint")}
            {...field("display_name")}
            maxLength={MAX_DISPLAY_NAME_LENGTH}
            autocomplete="name"
          />
        </Form>
      </section>
      <section class="card">
        <Switch
          label={t("appear-offline")}
          hint={t("account.offline-hint")}
          checked={me.appear_offline}
          onChecked={(appear_offline) => void action.run(() => updateMe({ appear_offline }))}
        />
      </section>
    </>
  );
}

/** The language of the client, stored in this browser. Each language is listed by its own name. */
export function LanguageChoice() {
  const chosen = chosenLanguage.value;
  const browser = LANGUAGES[languageFor(null, navigator.languages)];
  return (
    <Select
      label={t("language.title")}
      hint={t("language.hint")}
      value={isLanguage(chosen) ? String(chosen) : ""}
      options={[["", t("language.browser", { language: browser })], ...Object.entries(LANGUAGES)]}
      onValue={(name) => chooseLanguage(isLanguage(name) ? name : null)}
    />
  );
}

/** The hours in which this browser shows times. */
export function ClockChoice() {
  return (
    <Select
      label={t("clock.title")}
      value={chosenClock.value ?? ""}
      options={[
        ["", t("clock.language")],
        ["h12", t("clock.12")],
        ["h23", t("clock.24")],
      ]}
      onValue={(name) => {
        storeIfSpace(localStore, CLOCK_KEY, name || null);
        chosenClock.value = name || null;
      }}
    />
  );
}
