import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorText } from "./error-text.tsx";
import { Field } from "./field.tsx";
import { useAction } from "./use-action.ts";
import { t } from "../words/translate.ts";

type ConfirmProps = {
  title: string;
  text: string;
  /** The label of the button. */
  action: string;
  /** Must be typed to confirm what cannot be undone. */
  word?: string;
  onConfirm(): Promise<void>;
  onClose(): void;
};

/** Asks for confirmation. */
export function Confirm({ title, text, action: label, word, onConfirm, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState("");
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await onConfirm();
      onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={submit}>
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
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <div class="actions">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button
            kind="danger"
            type="submit"
            busy={action.busy}
            disabled={word !== undefined && typed !== word}
          >
            {label}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
