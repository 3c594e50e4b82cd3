import { MIN_PASSWORD_LENGTH } from "../../../src/wire/limits.ts";
import type { SignupLink } from "../../../src/wire/requests.ts";
import type { SignInMethods } from "../../../src/wire/sign-in.ts";
import { navigateTo, startsInRoom } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { NewPassword } from "../parts/new-password.tsx";
import { useAction, useForm } from "../parts/use-action.ts";
import { DeadLink, useLinkCheck } from "./dead-link.tsx";
import { useMethods } from "./use-methods.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { t } from "../words/translate.ts";
import { describeError } from "../words/describe-error.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";

export function SignUp({ token }: { token: string | null }) {
  const link = useLinkCheck("POST /api/signup/check", token);
  const methods = useMethods();
  if (link.error)
    return (
      <DeadLink text={describeError(link.error)} to="/signin" action={t("sign-in.to-signin")} />
    );
  if (!link.data || !token || !methods) return <main class="sign-in-page" aria-busy="true" />;
  // The first account has a password, because there is no provider yet.
  const providers = link.data.kind === "first" ? [] : methods.providers;
  if (methods.passwords || providers.length === 0) {
    return <SignUpForm token={token} link={link.data} providers={providers} />;
  }
  const team = store.team.value?.name ?? "Snug";
  return (
    <SignInPage title={t("welcome-to", { team })} text={t("sign-up.by-provider")}>
      <ProviderSignUp token={token} providers={providers} />
    </SignInPage>
  );
}

type SignUpFormProps = {
  token: string;
  link: SignupLink;
  providers: SignInMethods["providers"];
};

function SignUpForm({ token, link, providers }: SignUpFormProps) {
  const isFirst = link.kind === "first";
  const team = store.team.value?.name ?? "Snug";
  const { values, action, field } = useForm({
    email: "",
    username: suggestUsername(link.email),
    display_name: "",
    password: "",
  });
  const submit = async () => {
    const { email, ...account } = values;
    const display_name = values.display_name.trim() || null;
    const chosen = link.email === null ? { email } : {};
    const body = { token, ...account, display_name, ...chosen };
    const me = await store.call("POST /api/signup", { body });
    startsInRoom.value = true;
    store.enter(me);
    navigateTo("/", true);
    if (!isFirst) showToast(t("welcome-to", { team }));
  };
  return (
    <SignInPage
      title={isFirst ? t("sign-up.welcome") : t("welcome-to", { team })}
      text={describeLink(link)}
    >
      <Form action={action} submit={t("sign-up.submit")} wide onSubmit={submit}>
        {link.email === null && (
          <Field
            label={t("email")}
            type="email"
            {...field("email")}
            autocomplete="email"
            required
            autofocus
          />
        )}
        <Field
          label={t("username")}
          hint={t("sign-up.username-hint")}
          {...field("username")}
          autocomplete="username"
          maxLength={32}
          required
        />
        <Field
          label={t("display-name")}
          hint={t("sign-up.display-name-hint")}
          {...field("display_name")}
          autocomplete="name"
        />
        <NewPassword
          label={t("password")}
          hint={t("sign-in.at-least", { count: MIN_PASSWORD_LENGTH })}
          {...field("password")}
        />
      </Form>
      {providers.length > 0 && <ProviderSignUp token={token} providers={providers} isBeside />}
    </SignInPage>
  );
}

function describeLink({ kind, email }: SignupLink): string {
  if (email !== null) return t("sign-up.invited", { email });
  return t(kind === "first" ? "sign-up.first" : "sign-up.shared");
}

/** The part of the email address before the @, without characters that a username cannot have. */
function suggestUsername(email: string | null): string {
  const local = email?.split("@")[0]?.toLowerCase() ?? "";
  return local
    .replace(/[^a-z0-9._-]/g, "")
    .replace(/^[._-]+|[._-]+$/g, "")
    .slice(0, 32);
}

type ProviderSignUpProps = {
  token: string;
  providers: SignInMethods["providers"];
  /** Shows a text between the password form and these buttons. */
  isBeside?: boolean;
};

/**
 * Signs up with a provider. The link's token is sent in the body, because proxies log addresses.
 */
function ProviderSignUp({ token, providers, isBeside }: ProviderSignUpProps) {
  const action = useAction();
  const begin = (slug: string) =>
    action.run(async () => {
      const call = { params: { slug }, body: { token } };
      location.assign((await store.call("POST /api/auth/oidc/:slug/start", call)).redirect);
    });
  return (
    <div class="form">
      {isBeside && <p class="or row gap-12 muted">{t("sign-in.or")}</p>}
      {providers.map(({ slug, name }) => (
        <Button key={slug} wide busy={action.busy} onClick={() => void begin(slug)}>
          <span class="truncate">{t("sign-in.with", { name })}</span>
        </Button>
      ))}
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </div>
  );
}
