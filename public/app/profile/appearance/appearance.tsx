import { CircleCheck, Plus } from "lucide";
import { useEffect, useId, useState } from "preact/hooks";
import type { Colors, CustomTheme, Me } from "../../../../src/wire/models.ts";
import { store } from "../../session/store.ts";
import { askToConfirm } from "../../session/overlay.ts";
import { changeTheme, choosePreset, followDevice, PRESETS } from "../../session/theme.ts";
import { showToast } from "../../session/toasts.ts";
import { getAll } from "../../connection/api.ts";
import { ErrorText } from "../../parts/error-text.tsx";
import { useMedia } from "../../parts/use-media.ts";
import { Icon } from "../../parts/icon.tsx";
import { shownColors } from "../../parts/palette-style.ts";
import { useAction } from "../../parts/use-action.ts";
import { CustomThemeChoice, Swatch } from "./custom-theme.tsx";
import { ThemeEditor } from "./theme-editor.tsx";
import { t } from "../../words/translate.ts";
import { Switch } from "../../parts/field.tsx";
import { hasLetterKeys, setLetterKeys } from "../../session/keys.ts";
import { areRepliesFull, setRepliesFull } from "../../session/replies.ts";

/** Three columns in the dialog, two on a phone. */
const TILES = { "--column": "160px" };

/** The theme being edited: a saved theme, or a new one with the current colours. */
type Draft = { id: string | null; name: string; colors: Colors; isDark: boolean };

/** The choice of a theme: a preset, a custom theme, or the device's light or dark. */
export function Appearance({ me }: { me: Me }) {
  const [saved, setSaved] = useState<CustomTheme[] | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const action = useAction();
  const load = async () => {
    setSaved(await getAll(store.api, "GET /api/custom-themes"));
  };
  useEffect(() => void action.run(load), []);
  const useSaved = (custom: CustomTheme) =>
    void action.run(() =>
      changeTheme(
        {
          theme: "custom",
          follows_system: false,
          active_custom_theme_id: custom.id,
          active_custom_theme: custom,
        },
        () => store.call("POST /api/custom-themes/:id/activate", { params: { id: custom.id } }),
      ),
    );
  /** While the theme follows the device, the stored theme is not shown. */
  const usedTheme = me.follows_system ? null : me.theme;
  const begin = (name: string, colors = shownColors(), isDark = shownIsDark()) =>
    setDraft({ id: null, name, colors, isDark });
  const remove = (theme: CustomTheme) =>
    askToConfirm({
      title: t("delete-title", { name: theme.name }),
      text: t("theme.delete-text"),
      action: t("theme.delete"),
      onConfirm: async () => {
        await store.call("DELETE /api/custom-themes/:id", { params: { id: theme.id } });
        await load();
      },
    });
  return (
    <section class="card">
      <fieldset class="columns" style={TILES}>
        <legend class="visually-hidden">{t("theme.choose")}</legend>
        <SystemChoice checked={me.follows_system} onChoose={() => void action.run(followDevice)} />
        {PRESETS.map((theme) => (
          <label key={theme} class="theme-choice stack relative" data-theme={theme}>
            <Swatch />
            <span>
              <input
                class="absolute"
                type="radio"
                name="theme"
                checked={theme === usedTheme}
                onChange={() => void action.run(() => choosePreset(theme))}
              />{" "}
              {t(`preset.${theme}`)} <Icon of={CircleCheck} />
            </span>
          </label>
        ))}
        {saved?.map((theme) => (
          <CustomThemeChoice
            key={theme.id}
            theme={theme}
            isUsed={usedTheme === "custom" && me.active_custom_theme_id === theme.id}
            onUse={() => useSaved(theme)}
            onEdit={() => setDraft({ ...theme, isDark: theme.is_dark })}
            onDuplicate={() => begin(`${theme.name} 2`, theme.colors, theme.is_dark)}
            onDelete={() => remove(theme)}
          />
        ))}
        <button
          type="button"
          class="theme-choice new grid middle muted"
          onClick={() => begin(t("theme.mine"))}
        >
          <span class="row">
            <Icon of={Plus} />
            {t("theme.new")}
          </span>
        </button>
      </fieldset>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {draft && (
        <ThemeEditor
          draft={draft}
          onSaved={async (theme) => {
            await load();
            // A new theme is used at once.
            if (!draft.id) useSaved(theme);
            showToast(t("theme.saved", { name: theme.name }));
          }}
          onClose={() => setDraft(null)}
        />
      )}
    </section>
  );
}

function shownIsDark(): boolean {
  return getComputedStyle(document.documentElement).colorScheme === "dark";
}

function RepliesChoice() {
  return (
    <Switch
      label={t("threads.in-full")}
      hint={t("threads.in-full-hint")}
      checked={areRepliesFull.value}
      onChecked={setRepliesFull}
    />
  );
}

/** What is stored in this browser. */
export function DeviceSettings() {
  return (
    <>
      <RepliesChoice />
      <Switch
        label={t("keys.letters")}
        hint={t("keys.letters-hint")}
        checked={hasLetterKeys.value}
        onChecked={setLetterKeys}
      />
      {useMedia("(any-pointer: fine)") && <p class="muted small">{t("larger-text")}</p>}
    </>
  );
}

type SystemChoiceProps = { checked: boolean; onChoose(): void };

/** Follows the device's light or dark theme, which is the default. */
function SystemChoice({ checked, onChoose }: SystemChoiceProps) {
  const hint = useId();
  return (
    <label class="theme-choice stack relative">
      <span class="halves grid rounded" aria-hidden="true">
        <Half theme="light" />
        <Half theme="dark" />
      </span>
      <span>
        <input
          class="absolute"
          type="radio"
          name="theme"
          aria-label={t("theme.system")}
          aria-describedby={hint}
          checked={checked}
          onChange={onChoose}
        />{" "}
        {t("theme.system")} <Icon of={CircleCheck} />
        <span id={hint} class="visually-hidden">
          {t("theme.system-hint")}
        </span>
      </span>
    </label>
  );
}

function Half({ theme }: { theme: "light" | "dark" }) {
  return (
    <span class="swatch flex rounded" data-theme={theme}>
      <i />
      <i />
    </span>
  );
}
