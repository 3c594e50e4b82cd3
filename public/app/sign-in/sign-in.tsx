import { useState } from "preact/hooks";
import { navigate, route } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { t } from "../words/translate.ts";

export function SignIn() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const action = useAction();
  const submit = async () => {
    const body = { username, password };
    const answer = await store.api.call("POST /api/auth/login", { body });
    if ("factors" in answer) return;
    store.enter(answer);
    // The address stays the one that was opened; only /signin itself leads home.
    if (route.value.name === "signin") navigate("/", true);
  };
  return (
    <SignInPage title={t("sign-in")}>
      <Form action={action} submit={t("sign-in")} wide onSubmit={submit}>
        <Field
          label={t("sign-in.username")}
          value={username}
          onValue={setUsername}
          name="username"
          autocomplete="username"
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
      <p class="muted small">
        {t(store.team.value?.is_empty ? "sign-in.empty" : "sign-in.no-account")}
      </p>
    </SignInPage>
  );
}
