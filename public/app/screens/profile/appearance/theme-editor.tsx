import { TriangleAlert } from "lucide";
import { useState } from "preact/hooks";
import { MAX_THEME_NAME_LENGTH } from "../../../../../src/wire/limits.ts";
import type { Colors, CustomTheme } from "../../../../../src/wire/models.ts";
import { store } from "../../../app.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { ErrorText, Field, Switch } from "../../../parts/field.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { paletteStyle } from "../../../parts/palette-style.ts";
import { useAction } from "../../../parts/use-action.ts";
import { COLOR_LABELS, type ColorName, warningsOf } from "../../../state/palette.ts";

type ThemeEditorProps = {
  draft: { id: string | null; name: string; colors: Colors; isDark: boolean };
  onSaved(theme: CustomTheme): Promise<void>;
  onClose(): void;
};

/** Twelve colours with what they look like together, and what cannot be read in them. */
export function ThemeEditor({ draft, onSaved, onClose }: ThemeEditorProps) {
  const [name, setName] = useState(draft.name);
  const [colors, setColors] = useState(draft.colors);
  const [isDark, setIsDark] = useState(draft.isDark);
  const action = useAction(["name"]);
  const save = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const body = { name, colors, is_dark: isDark };
      const theme = draft.id
        ? await store.api.patch<CustomTheme>(`/api/custom-themes/${draft.id}`, body)
        : await store.api.post<CustomTheme>("/api/custom-themes", body);
      await onSaved(theme);
      onClose();
    });
  };
  return (
    <Dialog title={draft.id ? "Edit theme" : "New theme"} onClose={onClose}>
      <form class="form" onSubmit={save}>
        <Field
          label="Name"
          value={name}
          onValue={setName}
          error={action.field("name")}
          maxLength={MAX_THEME_NAME_LENGTH}
          required
        />
        <Preview colors={colors} isDark={isDark} />
        <div class="colors">
          {COLOR_LABELS.map(([key, label]) => (
            <label key={key} class="color-field">
              <input
                type="color"
                value={colors[key]}
                onInput={(event) => setColors({ ...colors, [key]: event.currentTarget.value })}
              />
              {label}
            </label>
          ))}
        </div>
        <Switch
          label="Dark controls"
          hint="How menus, scroll bars and other parts of the browser are drawn."
          checked={isDark}
          onChecked={setIsDark}
        />
        <Warnings colors={colors} />
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <div class="actions">
          <Button kind="primary" type="submit" busy={action.busy} disabled={name.trim() === ""}>
            Save theme
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A room in small. */
function Preview({ colors, isDark }: { colors: Colors; isDark: boolean }) {
  const style = { ...paletteStyle(colors), colorScheme: isDark ? "dark" : "light" };
  return (
    <div class="theme-preview" style={style} aria-hidden="true">
      <div class="theme-side">
        <b># general</b>
        <span class="muted"># design</span>
      </div>
      <div class="theme-main">
        <p>
          <b>Ada</b> <span class="muted">10:42</span>
        </p>
        <p>
          A message with a <span class="like-link">link</span>
        </p>
        <p class="lit">
          <span class="mention">@you</span> are mentioned
        </p>
        <p>
          <span class="like-button">Button</span> <span class="like-danger">Delete</span>
        </p>
      </div>
    </div>
  );
}

function Warnings({ colors }: { colors: Colors }) {
  const warnings = warningsOf(colors);
  if (warnings.length === 0) return null;
  const labels = new Map<ColorName, string>(COLOR_LABELS);
  return (
    <div class="theme-warnings" role="status">
      <p>
        <Icon of={TriangleAlert} /> Some people cannot read this. Text needs a contrast of 4.5 to 1.
      </p>
      <ul>
        {warnings.map(({ text, ground, ratio }) => (
          <li key={text + ground}>
            {labels.get(text)} on {labels.get(ground)?.toLowerCase()}: {ratio.toFixed(1)} to 1
          </li>
        ))}
      </ul>
    </div>
  );
}
