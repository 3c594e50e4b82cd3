import { CircleCheck, Copy, Pencil, Trash2 } from "lucide";
import type { CustomTheme } from "../../../../src/wire/models.ts";
import { Icon } from "../../parts/icon.tsx";
import { Menu } from "../../parts/menu.tsx";
import { customThemeProps } from "../../parts/palette-style.ts";
import { t } from "../../words/translate.ts";

type CustomThemeProps = {
  theme: CustomTheme;
  isUsed: boolean;
  onUse(): void;
  onEdit(): void;
  onDuplicate(): void;
  onDelete(): void;
};

export function CustomThemeChoice({
  theme,
  isUsed,
  onUse,
  onEdit,
  onDuplicate,
  onDelete,
}: CustomThemeProps) {
  return (
    <div
      class="theme-choice stack custom relative"
      {...customThemeProps(theme.colors, theme.is_dark)}
    >
      <label class="stack">
        <Swatch />
        <span class="truncate">
          <input class="absolute" type="radio" name="theme" checked={isUsed} onChange={onUse} />{" "}
          {theme.name} <Icon of={CircleCheck} />
        </span>
      </label>
      <Menu
        icon={Pencil}
        label={t("theme.change", { name: theme.name })}
        items={[
          {
            label: t("edit"),
            icon: Pencil,
            onSelect: onEdit,
          },
          {
            label: t("theme.duplicate"),
            icon: Copy,
            onSelect: onDuplicate,
          },
          {
            label: t("delete"),
            icon: Trash2,
            danger: true,
            onSelect: onDelete,
          },
        ]}
      />
    </div>
  );
}

/** A small sample of a theme, in the colours of its parent element. */
export function Swatch() {
  return (
    <span class="swatch flex rounded" aria-hidden="true">
      <i />
      <i />
    </span>
  );
}
