import { Field } from "../parts/field.tsx";
import { t } from "../words/translate.ts";

export const CODE_LENGTH = 6;

export const digitsOf = (text: string) => text.replace(/\D/g, "");

type CodeFieldProps = {
  value: string;
  onValue(value: string): void;
  /** Called with the code when its last digit is typed or it is pasted. */
  onComplete(code: string): void;
  error?: string;
};

export function CodeField({ value, onValue, onComplete, error }: CodeFieldProps) {
  return (
    <Field
      label={t("way.code")}
      hint={t("way.code-hint")}
      value={value}
      error={error}
      onValue={(next) => {
        onValue(next);
        const code = digitsOf(next);
        if (code.length === CODE_LENGTH && digitsOf(value).length < CODE_LENGTH) onComplete(code);
      }}
      inputmode="numeric"
      autocomplete="one-time-code"
      maxLength={CODE_LENGTH + 1}
      required
      autofocus
    />
  );
}
