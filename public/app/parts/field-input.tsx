import type { ComponentProps } from "preact";
import { useState } from "preact/hooks";
import { visuallyHidden } from "./visually-hidden.tsx";
import { t, tRich } from "../words/translate.ts";

export type FieldKind =
  "text" | "email" | "password" | "url" | "number" | "date" | "datetime-local";

type Rest = Pick<
  ComponentProps<"input">,
  | "id"
  | "class"
  | "value"
  | "name"
  | "autocomplete"
  | "inputmode"
  | "required"
  | "autofocus"
  | "minLength"
  | "maxLength"
  | "min"
  | "max"
  | "step"
  | "aria-invalid"
  | "aria-describedby"
>;
type FieldInputProps = Rest & {
  label: string;
  kind: FieldKind;
  onValue(value: string): void;
  /** Called with what is wrong when its form is sent, and with null once it is changed. */
  onFault(fault: string | null): void;
};

/** The input of a field. A password can be shown, and the browser's own bubble never is. */
export function FieldInput({ label, kind, onValue, onFault, ...rest }: FieldInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div class="reveal">
      <input
        {...rest}
        type={(isShown ? "text" : kind) as "text"}
        dir={kind === "text" ? "auto" : undefined}
        onInvalid={(event) => {
          event.preventDefault();
          onFault(describeFault(event.currentTarget));
          focusFirstFault(event.currentTarget);
        }}
        onInput={(event) => {
          onFault(null);
          onValue(event.currentTarget.value);
        }}
      />
      {kind === "password" && (
        <button type="button" class="link" onClick={() => setShown(!isShown)}>
          {tRich(isShown ? "input.hide" : "input.show", { label, hidden: visuallyHidden })}
        </button>
      )}
    </div>
  );
}

/** What the browser finds wrong with an input, in the words of Snug where they say more. */
function describeFault({ validity, type, minLength, validationMessage }: HTMLInputElement): string {
  if (validity.valueMissing) return t("input.missing");
  if (validity.tooShort) return t("input.short", { count: minLength });
  if (validity.typeMismatch) return t(type === "email" ? "input.email" : "input.url");
  return validationMessage;
}

/** Focuses the first of the inputs that are wrong. */
function focusFirstFault(input: HTMLInputElement): void {
  if (input.form?.querySelector("input:invalid, textarea:invalid") === input) input.focus();
}
