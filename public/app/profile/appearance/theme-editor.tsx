import { TriangleAlert } from "lucide";
import { useState } from "preact/hooks";
import { MAX_THEME_NAME_LENGTH } from "../../../../src/wire/limits.ts";
import type { Colors, CustomTheme } from "../../../../src/wire/models.ts";
import { store } from "../../session/store.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Switch } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { customThemeProps } from "../../parts/palette-style.ts";
import { useForm } from "../../parts/use-action.ts";
import { COLORS, NEEDED, warningsOf } from "../../state/palette.ts";
import { timeOf } from "../../parts/times.ts";
import { getNumberFormat } from "../../words/intl.ts";
import { currentLocale, tRich, t, decapitalize } from "../../words/translate.ts";

type ThemeEditorProps = {
  draft: { id: string | null; name: string; colors: Colors; isDark: boolean };
  onSaved(theme: CustomTheme): Promise<void>;
  onClose(): void;
};

/** Edits the twelve colours of a theme, with a preview and warnings about contrast. */
export function ThemeEditor({ draft, onSaved, onClose }: ThemeEditorProps) {
  const { values, action, field } = useForm({ name: draft.name });
  const [colors, setColors] = useState(draft.colors);
  const [isDark, setIsDark] = useState(draft.isDark);
  const save = async () => {
    const body = { ...values, colors, is_dark: isDark };
    const theme = draft.id
      ? await store.call("PATCH /api/custom-themes/:id", { params: { id: draft.id }, body })
      : await store.call("POST /api/custom-themes", { body });
    await onSaved(theme);
    onClose();
  };
  return (
    <Dialog title={draft.id ? t("theme.edit") : t("theme.new")} onClose={onClose}>
      <Form
        action={action}
        submit={t("theme.save")}
        disabled={values.name.trim() === ""}
        onCancel={onClose}
        onSubmit={save}
      >
        <Field
          label={t("label.name")}
          {...field("name")}
          maxLength={MAX_THEME_NAME_LENGTH}
          required
        />
        <Preview colors={colors} isDark={isDark} />
        <div class="columns" style={{ "--column": "144px" }}>
          {COLORS.map((key) => (
            <label key={key} class="color-field control row small">
              <input
                type="color"
                value={colors[key]}
                onInput={(event) => setColors({ ...colors, [key]: event.currentTarget.value })}
              />
              {t(`color.${key}`)}
            </label>
          ))}
        </div>
        <Switch
          label={t("theme.dark-controls")}
          hint={t("theme.dark-controls-hint")}
          checked={isDark}
          onChecked={setIsDark}
        />
        <Warnings colors={colors} />
      </Form>
    </Dialog>
  );
}

const SAMPLE_TIME = new Date(2025, 0, 1, 10, 42).toISOString();

const ratioOf = (ratio: number) => getNumberFormat(currentLocale(), ONE_DIGIT).format(ratio);
const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

function Preview({ colors, isDark }: { colors: Colors; isDark: boolean }) {
  return (
    <div
      class="theme-preview grid framed small"
      {...customThemeProps(colors, isDark)}
      aria-hidden="true"
    >
      <div class="theme-side stack gap-4">
        <b># {t("sample.room")}</b>
        <span class="muted"># {t("sample.other-room")}</span>
      </div>
      <div class="theme-main stack gap-4">
        <p>
          <b>Ada</b> <span class="muted">{timeOf(SAMPLE_TIME)}</span>
        </p>
        <p>
          {tRich("sample.message", { link: (inner) => <span class="like-link">{inner}</span> })}
        </p>
        <p class="lit">
          {tRich("sample.mention", { you: (inner) => <span class="mention strong">{inner}</span> })}
        </p>
        <p>
          <span class="like-button rounded">{t("sample.button")}</span>{" "}
          <span class="danger">{t("delete")}</span>
        </p>
      </div>
    </div>
  );
}

function Warnings({ colors }: { colors: Colors }) {
  const warnings = warningsOf(colors);
  if (warnings.length === 0) return null;
  return (
    <div class="notice rounded warning outlined small" role="status">
      <p>
        <Icon of={TriangleAlert} /> {t("theme.unreadable", { needed: ratioOf(NEEDED) })}
      </p>
      <ul class="bullets">
        {warnings.map(({ text, ground, ratio }) => (
          <li key={text + ground}>
            {t("theme.contrast", {
              text: t(`color.${text}`),
              ground: decapitalize(t(`color.${ground}`)),
              ratio: ratioOf(ratio),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
