import { useState } from "preact/hooks";
import { MAX_THREAD_TITLE_LENGTH } from "../../../src/wire/limits.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { changeThread } from "../session/thread-actions.ts";
import { t } from "../words/translate.ts";

type TitleProps = { id: string; title: string; onClose(): void };

export function TitleDialog({ id, title, onClose }: TitleProps) {
  const [text, setText] = useState(title);
  const action = useAction(["title"]);
  const submit = async () => {
    await changeThread(id, { title: text.trim() || null });
    onClose();
  };
  return (
    <Dialog title={t("thread.name")} onClose={onClose}>
      <Form action={action} submit={t("save")} onCancel={onClose} onSubmit={submit}>
        <Field
          label={t("thread.name-label")}
          hint={t("thread.name-hint")}
          value={text}
          onValue={setText}
          error={action.field("title")}
          maxLength={MAX_THREAD_TITLE_LENGTH}
          autocomplete="off"
          autofocus
        />
      </Form>
    </Dialog>
  );
}
