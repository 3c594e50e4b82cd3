import { useState } from "preact/hooks";
import { MIN_PASSWORD_LENGTH } from "../../../src/wire/limits.ts";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { AccountOfForm, NewPassword } from "../parts/new-password.tsx";
import { useForm } from "../parts/use-action.ts";
import { DeadLink, useLinkCheck } from "./dead-link.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { t } from "../words/translate.ts";
import { describeError } from "../words/describe-error.ts";

type Account = { username: string };

export function Reset({ token }: { token: string | null }) {
  const link = useLinkCheck("POST /api/auth/reset-password/check", token);
  const [done, setDone] = useState(false);
  if (done) {
    return (
      <SignInPage title={t("reset.done")} text={t("reset.done-text")}>
        <Button kind="primary" wide onClick={() => navigateTo("/signin")}>
          {t("sign-in")}
        </Button>
      </SignInPage>
    );
  }
  if (link.error) {
    const text = describeError(link.error);
    return <DeadLink text={text} to="/forgot-password" action={t("reset.new-link")} />;
  }
  if (!link.data || !token) return <main class="sign-in-page" aria-busy="true" />;
  return <ResetForm token={token} account={link.data} onDone={() => setDone(true)} />;
}

function ResetForm({
  token,
  account,
  onDone,
}: {
  token: string;
  account: Account;
  onDone(): void;
}) {
  const { values, action, field } = useForm({ password: "" });
  const submit = async () => {
    await store.call("POST /api/auth/reset-password", { body: { token, ...values } });
    onDone();
  };
  return (
    <SignInPage title={t("reset.title")} text={t("reset.whose", { username: account.username })}>
      <Form action={action} submit={t("password.change")} wide onSubmit={submit}>
        <AccountOfForm username={account.username} />
        <NewPassword
          label={t("password.new")}
          hint={t("reset.password-hint", { count: MIN_PASSWORD_LENGTH })}
          {...field("password")}
          autofocus
        />
      </Form>
    </SignInPage>
  );
}
