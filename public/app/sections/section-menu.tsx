import { ArrowDown, ArrowUp, Ellipsis, Pencil, Trash2 } from "lucide";
import type { Section } from "../../../src/wire/sections.ts";
import { deleteSection, moveSectionBy } from "../session/own-sections.ts";
import { ownSections } from "../session/sidebar-items.ts";
import { overlay } from "../session/overlay.ts";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { t } from "../words/translate.ts";

export function SectionMenu({ section }: { section: Section }) {
  const { id, name } = section;
  const index = ownSections.value.findIndex((own) => own.id === id);
  const items: MenuItem[] = [
    {
      label: t("sections.rename"),
      icon: Pencil,
      onSelect: () => {
        overlay.value = { name: "section", section };
      },
    },
  ];
  if (index > 0) {
    items.push({ label: t("sections.up"), icon: ArrowUp, onSelect: () => moveSectionBy(id, -1) });
  }
  if (index < ownSections.value.length - 1) {
    items.push({
      label: t("sections.down"),
      icon: ArrowDown,
      onSelect: () => moveSectionBy(id, 1),
    });
  }
  items.push({
    label: t("sections.delete"),
    icon: Trash2,
    danger: true,
    onSelect: () => deleteSection(section),
  });
  return <Menu icon={Ellipsis} label={t("sections.actions", { name })} items={items} />;
}
