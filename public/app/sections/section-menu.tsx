import { ArrowDown, ArrowUp, Ellipsis, Pencil, Trash2 } from "lucide";
import type { Section } from "../../../src/wire/sections.ts";
import {
  deleteSection,
  moveSectionBy,
  createSection,
  saveSectionName,
  saveSectionOf,
} from "../session/own-sections.ts";
import { ownSections } from "../session/sidebar-items.ts";
import { type DialogProps, openDialog } from "../session/overlay.ts";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { t } from "../words/translate.ts";
import { useState } from "preact/hooks";
import { MAX_SECTION_NAME_LENGTH, MAX_SECTIONS } from "../../../src/wire/limits.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";

export function SectionMenu({ section }: { section: Section }) {
  const { id, name } = section;
  const index = ownSections.value.findIndex((own) => own.id === id);
  const items: MenuItem[] = [
    {
      label: t("sections.rename"),
      icon: Pencil,
      onSelect: () => openDialog({ name: "section", section }),
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

/** Creates or renames a section of the sidebar. */
export function SectionDialog({ section, onClose }: DialogProps<"section">) {
  const [name, setName] = useState(section?.name ?? "");
  const action = useAction();
  const submit = async () => {
    await (section ? saveSectionName(section.id, name) : createSection(name));
    onClose();
  };
  return (
    <Dialog title={t(section ? "sections.rename" : "sections.new")} onClose={onClose}>
      <Form
        action={action}
        submit={t(section ? "save" : "sections.create")}
        onCancel={onClose}
        onSubmit={submit}
      >
        <SectionNameField label={t("label.name")} value={name} onValue={setName} autofocus />
      </Form>
    </Dialog>
  );
}

type NameFieldProps = {
  label: string;
  value: string;
  onValue(value: string): void;
  autofocus?: boolean;
};

function SectionNameField(props: NameFieldProps) {
  return <Field {...props} maxLength={MAX_SECTION_NAME_LENGTH} autocomplete="off" required />;
}

const NONE = "";
const NEW = "new";

/** Moves a room or conversation into a section, an existing or a new one. */
export function MoveToSection({ roomId, onClose }: DialogProps<"move-to-section">) {
  const sections = ownSections.value;
  const current = sections.find(({ room_ids }) => room_ids.includes(roomId))?.id ?? NONE;
  const [choice, setChoice] = useState(sections.length === 0 ? NEW : current);
  const [name, setName] = useState("");
  const action = useAction();
  const options: [string, string][] = [
    [NONE, t("sections.none")],
    ...sections.map(({ id, name }): [string, string] => [id, name]),
  ];
  if (sections.length < MAX_SECTIONS) options.push([NEW, t("sections.new-option")]);
  const submit = async () => {
    if (choice === NEW) await createSection(name, roomId);
    else if (choice !== current) await saveSectionOf(roomId, choice === NONE ? null : choice);
    onClose();
    focusRow(roomId);
  };
  return (
    <Dialog title={t("sections.move-title")} onClose={onClose}>
      <Form action={action} submit={t("sections.move")} onCancel={onClose} onSubmit={submit}>
        <Select
          label={t("sections.section")}
          value={choice}
          options={options}
          onValue={setChoice}
        />
        {choice === NEW && (
          <SectionNameField label={t("sections.new-name")} value={name} onValue={setName} />
        )}
      </Form>
    </Dialog>
  );
}

/** Focuses the room's row in its new section, because the row that had the focus was removed. */
function focusRow(roomId: string): void {
  setTimeout(() => {
    const row = document.querySelector<HTMLElement>(`.sidebar [data-id="${roomId}"] a`);
    if (document.activeElement === document.body) row?.focus();
  });
}
