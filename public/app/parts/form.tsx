import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { ErrorText } from "./error-text.tsx";
import { t } from "../words/translate.ts";
import type { Action } from "./use-action.ts";

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
  onSubmit,
  children,
  ...rest
}: FormProps) {
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
      {children}
      {action.error && <ErrorText>{action.error}</ErrorText>}
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
