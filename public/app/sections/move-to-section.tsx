import { useState } from "preact/hooks";
import { MAX_SECTIONS } from "../../../src/wire/limits.ts";
import { createSection, saveSectionOf } from "../session/own-sections.ts";
import { ownSections } from "../session/sidebar-items.ts";
import type { DialogProps } from "../session/overlay.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { SectionNameField } from "./section-dialog.tsx";
import { t } from "../words/translate.ts";

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
