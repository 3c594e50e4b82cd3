import { useState } from "preact/hooks";
import type { Factor } from "../../../src/wire/sign-in.ts";
import { store } from "../session/store.ts";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

type PasswordFormProps = { onSignedIn(): void; onSecond(factors: Factor[]): void };

/** Signs in with a name and a password; passkeys are offered in the field of the name. */
export function PasswordForm({ onSignedIn, onSecond }: PasswordFormProps) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const action = useAction();
  const submit = async () => {
    const body = { username, password };
    const answer = await store.call("POST /api/auth/login", { body });
    if ("factors" in answer) return onSecond(answer.factors);
    store.enter(answer);
    onSignedIn();
  };
  return (
    <>
      <Form action={action} submit={t("sign-in")} wide onSubmit={submit}>
        <Field
          label={t("sign-in.username")}
          value={username}
          onValue={setUsername}
          name="username"
          autocomplete="username webauthn"
          required
          autofocus
        />
        <Field
          label={t("password")}
          type="password"
          value={password}
          onValue={setPassword}
          name="password"
          autocomplete="current-password"
          required
        />
      </Form>
      <p class="small">
        <a href="/forgot-password">{t("sign-in.forgot")}</a>
      </p>
    </>
  );
}
