import { useState } from "preact/hooks";
import { MAX_SECTION_NAME_LENGTH } from "../../../src/wire/limits.ts";
import { createSection, saveSectionName } from "../session/own-sections.ts";
import type { DialogProps } from "../session/overlay.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

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

export function SectionNameField(props: NameFieldProps) {
  return <Field {...props} maxLength={MAX_SECTION_NAME_LENGTH} autocomplete="off" required />;
}
