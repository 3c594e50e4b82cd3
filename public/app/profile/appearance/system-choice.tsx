import { useId } from "preact/hooks";
import { t } from "../../words/translate.ts";

type SystemChoiceProps = { checked: boolean; onChoose(): void };

/** Light or dark as the device is, which is the default. */
export function SystemChoice({ checked, onChoose }: SystemChoiceProps) {
  const hint = useId();
  return (
    <label class="theme-choice system">
      <span class="halves" aria-hidden="true">
        <Half theme="light" />
        <Half theme="dark" />
      </span>
      <span>
        <input
          type="radio"
          name="theme"
          aria-label={t("theme.system")}
          aria-describedby={hint}
          checked={checked}
          onChange={onChoose}
        />{" "}
        {t("theme.system")}
        <span id={hint} class="hint small muted">
          {t("theme.system-hint")}
        </span>
      </span>
    </label>
  );
}

function Half({ theme }: { theme: "light" | "dark" }) {
  return (
    <span class="swatch" data-theme={theme}>
      <i />
      <i />
    </span>
  );
}
