import { useId, useRef, useState } from "preact/hooks";
import { ErrorText } from "./error-text.tsx";
import { FieldInput, type FieldKind } from "./field-input.tsx";
import { useGrowth } from "./use-growth.ts";

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
};

/**
 * A labelled input with its error below it: that of the service, or what is wrong by itself when the form
 * is sent, in place of the browser's own bubble.
 */
export function Field({
  label,
  hint,
  error: refusal,
  value,
  onValue,
  multiline,
  type = "text",
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
    <div class="field">
      <label for={id}>{label}</label>
      {multiline ? (
        <textarea
          {...shared}
          ref={area}
          dir="auto"
          maxLength={rest.maxLength}
          onInput={(e) => onValue(e.currentTarget.value)}
        />
      ) : (
        <FieldInput
          {...shared}
          {...rest}
          label={label}
          kind={type}
          onValue={onValue}
          onFault={setFault}
        />
      )}
      {hint && !error && (
        <p class="muted small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
    </div>
  );
}

type SelectProps<Value extends string> = {
  label: string;
  hint?: string;
  value: Value;
  options: [value: NoInfer<Value>, label: string][];
  onValue(value: NoInfer<Value>): void;
};

/** A labelled choice of one of a few values. */
export function Select<Value extends string>({
  label,
  hint,
  value,
  options,
  onValue,
}: SelectProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        class="input"
        id={id}
        value={value}
        onChange={(e) => onValue(e.currentTarget.value as Value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      {hint && <p class="muted small">{hint}</p>}
    </div>
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
    <div class="switch-row row">
      <label for={id}>
        <span>{label}</span>
        {hint && <p class="muted small">{hint}</p>}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        class="switch"
        checked={checked}
        onChange={(e) => onChecked(e.currentTarget.checked)}
      />
    </div>
  );
}
