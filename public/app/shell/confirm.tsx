import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Field } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

type ConfirmProps = {
  title: string;
  text: string;
  /** What the button says. */
  action: string;
  /** A word that must be typed, for what cannot be undone. */
  word?: string;
  onConfirm(): Promise<void>;
  onClose(): void;
};

/** Asks before what cannot be taken back. */
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
