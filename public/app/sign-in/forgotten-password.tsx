import { useState } from "preact/hooks";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useForm } from "../parts/use-action.ts";
import { useMethods } from "./use-methods.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { t } from "../words/translate.ts";
import { MIN_PASSWORD_LENGTH } from "../../../src/wire/limits.ts";
import { navigateTo } from "../session/navigation.ts";
import { AccountOfForm, NewPassword } from "../parts/new-password.tsx";
import { DeadLink, useLinkCheck } from "./dead-link.tsx";
import { describeError } from "../words/describe-error.ts";

/**
 * Requests an email with a link to choose a new password. The texts never reveal who has an
 * account.
 */
export function Forgot() {
  const methods = useMethods();
  const [answer, setAnswer] = useState<{ sends_mail: boolean } | null>(null);
  const { values, action, field } = useForm({ email: "" });
  const submit = async () =>
    setAnswer(await store.call("POST /api/auth/forgot-password", { body: values }));
  if (!methods) return <main class="sign-in-page" aria-busy="true" />;
  // Email may have been turned off since.
  if (!(answer ?? methods).sends_mail) {
    return (
      <SignInPage title={t("sign-in.forgot")} text={t("forgot.no-mail-text")}>
        <BackToSignIn />
      </SignInPage>
    );
  }
  if (answer) {
    return (
      <SignInPage title={t("forgot.sent")} text={t("forgot.sent-text", values)}>
        <p class="muted small">{t("forgot.nothing")}</p>
        <Button wide onClick={() => setAnswer(null)}>
          {t("forgot.other-address")}
        </Button>
        <BackToSignIn />
      </SignInPage>
    );
  }
  return (
    <SignInPage title={t("sign-in.forgot")} text={t("forgot.text")}>
      <Form action={action} submit={t("forgot.submit")} wide onSubmit={submit}>
        <Field
          label={t("email")}
          type="email"
          {...field("email")}
          autocomplete="email"
          required
          autofocus
        />
      </Form>
      <BackToSignIn />
    </SignInPage>
  );
}

function BackToSignIn() {
  return (
    <p class="small">
      <a href="/signin">{t("sign-in.back")}</a>
    </p>
  );
}

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
