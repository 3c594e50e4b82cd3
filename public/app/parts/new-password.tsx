import { MIN_PASSWORD_LENGTH } from "../../../src/wire/limits.ts";
import { Field } from "./field.tsx";

type NewPasswordProps = {
  label: string;
  hint: string;
  value: string;
  onValue(value: string): void;
  error: string | undefined;
  autofocus?: boolean;
};

export function NewPassword(props: NewPasswordProps) {
  return (
    <Field
      {...props}
      type="password"
      autocomplete="new-password"
      minLength={MIN_PASSWORD_LENGTH}
      required
    />
  );
}

/** Tells password managers to which account the surrounding form belongs. */
export function AccountOfForm({ username }: { username: string }) {
  return (
    <input type="text" name="username" autocomplete="username" value={username} hidden readOnly />
  );
}
