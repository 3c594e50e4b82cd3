import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ErrorText } from "./error-text.tsx";
import { useGrowth } from "./use-growth.ts";
import type { ComponentChildren, ComponentProps } from "preact";
import { visuallyHidden } from "./visually-hidden.tsx";
import { t, tRich } from "../words/translate.ts";

type FieldProps = {
  label: string;
  hint?: string;
  error?: string;
  value: string;
  onValue(value: string): void;
  multiline?: boolean;
  type?: FieldKind;
  name?: string;
  autocomplete?: string;
  inputmode?: "numeric";
  required?: boolean;
  autofocus?: boolean;
  minLength?: number;
  maxLength?: number;
  min?: number | string;
  max?: number | string;
  step?: number | "any";
  /** A button in the row of the input. */
  button?: ComponentChildren;
  /** A link at the end of the label's line, of the order -1; the keyboard reaches the input first. */
  link?: ComponentChildren;
};

/** With room for a finger between the link and the field above. */
const WITH_LINK = { display: "flex", alignItems: "center", marginTop: "8px" };
/** Before the input, and above what a finger hits of the link. */
const LABEL = { order: -1, zIndex: 1 };

/**
 * A labelled input with its error below it: the service's error, or on submit the browser's
 * validation error, instead of its own bubble.
 */
export function Field({
  label,
  hint,
  error: refusal,
  value,
  onValue,
  multiline,
  type = "text",
  button,
  link,
  ...rest
}: FieldProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useGrowth(area, value);
  const [fault, setFault] = useState<string | null>(null);
  const error = fault ?? refusal;
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  const shared = {
    id,
    class: "input",
    value,
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-describedby": described,
  };
  return (
    <div class="field wrap between" style={link ? WITH_LINK : undefined}>
      <label class="small strong" style={LABEL} for={id}>
        {label}
      </label>
      {multiline ? (
        <textarea
          {...shared}
          ref={area}
          dir="auto"
          maxLength={rest.maxLength}
          onInput={(e) => onValue(e.currentTarget.value)}
        />
      ) : (
        <div class="row full">
          <FieldInput
            {...shared}
            {...rest}
            label={label}
            kind={type}
            onValue={onValue}
            onFault={setFault}
          />
          {button}
        </div>
      )}
      {link}
      {hint && !error && (
        <p class="muted small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
    </div>
  );
}

export type SelectField<Value extends string> = {
  label: string;
  value: Value;
  options: [value: NoInfer<Value>, label: string][];
  onValue(value: NoInfer<Value>): void;
};

export function Select<Value extends string>({
  hint,
  ...choice
}: SelectField<Value> & { hint?: string }) {
  const id = useId();
  return (
    <div class="field">
      <label class="small strong" for={id}>
        {choice.label}
      </label>
      <SelectInput id={id} {...choice} />
      {hint && <p class="muted small">{hint}</p>}
    </div>
  );
}

/** @param id of the input, if a visible label names it */
export function SelectInput<Value extends string>({
  id,
  label,
  value,
  options,
  onValue,
}: SelectField<Value> & { id?: string }) {
  return (
    <select
      class="input"
      id={id}
      aria-label={id ? undefined : label}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value as Value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

type SwitchProps = {
  label: string;
  hint?: string;
  checked: boolean;
  onChecked(checked: boolean): void;
};

/** A labelled switch, whose change takes effect at once. */
export function Switch({ label, hint, checked, onChecked }: SwitchProps) {
  const id = useId();
  return (
    <div class="switch-row control gap-12 between row">
      <label for={id}>
        <span>{label}</span>
        {hint && <p class="muted small">{hint}</p>}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        class="switch reach rigid relative"
        checked={checked}
        onChange={(e) => onChecked(e.currentTarget.checked)}
      />
    </div>
  );
}

type FieldKind = "text" | "email" | "password" | "url" | "number" | "date" | "datetime-local";

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
  /**
   * Called with the validation error when the form is submitted, and with null once the input
   * changes.
   */
  onFault(fault: string | null): void;
};

/**
 * The input of a field. A password can be revealed; the browser's validation bubble is suppressed.
 */
function FieldInput({ label, kind, onValue, onFault, ...rest }: FieldInputProps) {
  const [isShown, setShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // Browsers obey `autofocus` only once per document, but this document has many screens.
  useEffect(() => {
    if (rest.autofocus) input.current?.focus();
  }, []);
  return (
    <div class="reveal relative grow">
      <input
        {...rest}
        ref={input}
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

/** The validation error of an input, in Snug's words where they are more helpful. */
function describeFault({ validity, type, minLength, validationMessage }: HTMLInputElement): string {
  if (validity.valueMissing) return t("input.missing");
  if (validity.tooShort) return t("input.short", { count: minLength });
  if (validity.typeMismatch) return t(type === "email" ? "input.email" : "input.url");
  return validationMessage;
}

function focusFirstFault(input: HTMLInputElement): void {
  if (input.form?.querySelector("input:invalid, textarea:invalid") === input) input.focus();
}
