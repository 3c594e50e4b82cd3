import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { Form } from "./form.tsx";
import { useAction } from "./use-action.ts";
import { t } from "../words/translate.ts";

export type Question = {
  title: string;
  text: string;
  action: string;
  /** A word to type before something that cannot be undone. */
  word?: string;
  onConfirm(): Promise<void>;
};

type ConfirmProps = Question & { onClose(): void };

/** Opened by `askToConfirm`; a page without the shell, such as the sign-in, renders it itself. */
export function Confirm({ title, text, action: label, word, onConfirm, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState("");
  const action = useAction();
  const submit = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        action={action}
        submit={label}
        kind="danger"
        disabled={word !== undefined && typed !== word}
        onCancel={onClose}
        onSubmit={submit}
      >
        <p>{text}</p>
        {word && (
          <Field
            label={t("confirm.type", { word })}
            value={typed}
            onValue={setTyped}
            autocomplete="off"
            autofocus
          />
        )}
      </Form>
    </Dialog>
  );
}
