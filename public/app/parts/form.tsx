import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { ErrorText } from "./error-text.tsx";
import { t } from "../words/translate.ts";
import { type Action, useAction } from "./use-action.ts";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";

type FormProps = {
  action: Action;
  /** The label of the button that submits it, unless a field of the form has that button. */
  submit?: string;
  kind?: "primary" | "quiet" | "danger";
  wide?: boolean;
  disabled?: boolean;
  /** Another button beside the submit button. */
  button?: ComponentChildren;
  onCancel?(): void;
  class?: string;
  /** Whether its error is above the fields, where it belongs to no single one of them. */
  isErrorFirst?: boolean;
  /** Runs on submit. Its error is shown at a field, or above the buttons. */
  onSubmit(): Promise<unknown>;
  children: ComponentChildren;
};

/** A form that makes one request when submitted. */
export function Form({
  action,
  submit,
  kind = "primary",
  wide,
  disabled,
  button,
  onCancel,
  isErrorFirst,
  onSubmit,
  children,
  ...rest
}: FormProps) {
  const error = action.error && <ErrorText>{action.error}</ErrorText>;
  const submitButton = (
    <Button kind={kind} type="submit" wide={wide} busy={action.busy} disabled={disabled}>
      {submit}
    </Button>
  );
  return (
    <form
      class={`form ${rest.class ?? ""}`.trim()}
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(onSubmit);
      }}
    >
      {error && isErrorFirst ? <div class="notice warning rounded">{error}</div> : null}
      {children}
      {!isErrorFirst && error}
      {!submit ? null : wide ? (
        submitButton
      ) : (
        <div class="actions">
          {button}
          {onCancel && <Button onClick={onCancel}>{t("cancel")}</Button>}
          {submitButton}
        </div>
      )}
    </form>
  );
}

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
