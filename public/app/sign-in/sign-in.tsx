import { useEffect, useState } from "preact/hooks";
import type { Factor, PasskeyAssertion, SignInMethods } from "../../../src/wire/sign-in.ts";
import { navigateTo, route } from "../session/navigation.ts";
import { hasSignedOut, storage, store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { useAction } from "../parts/use-action.ts";
import { canUsePasskeys, offerPasskeys, signWithPasskey, stopOffering } from "./passkey.ts";
import { ProviderLinks, startOf } from "./provider-links.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { t } from "../words/translate.ts";
import { Confirm, Form } from "../parts/form.tsx";
import { countLeftBehind, deleteLeftBehind } from "../state/store/left-behind.ts";
import { Field } from "../parts/field.tsx";
import { useMethods } from "./use-methods.ts";
import { Ways } from "./ways.tsx";

export function SignIn() {
  const methods = useMethods();
  const [factors, setFactors] = useState<Factor[] | null>(null);
  useEffect(() => {
    // A provider's sign-in may not count as a second factor: the browser has returned from the
    // provider, and the second step is still missing.
    if (location.search.includes("second=1")) void continueSignIn().then(setFactors);
  }, []);
  const only = methods && !factors ? findOnlyProvider(methods) : null;
  useEffect(() => {
    if (only) location.assign(startOf(only.slug, pathAfter()));
  }, [only]);
  if (factors) {
    const back = () => setFactors(null);
    return <SecondStep factors={factors} onSignedIn={leavePage} onBack={back} />;
  }
  if (!methods || only) return <main class="sign-in-page" aria-busy="true" />;
  return <Methods methods={methods} onSecond={setFactors} />;
}

type MethodsProps = { methods: SignInMethods; onSecond(factors: Factor[]): void };

function Methods({ methods, onSecond }: MethodsProps) {
  const { passwords, passkeys, providers } = methods;
  const hasPassword = passwords || isEmergency();
  // If a provider is the only sign-in method, passkeys and passwords work only for emergency
  // accounts.
  const hasPasskey = hasPassword && passkeys && canUsePasskeys();
  const action = useAction();
  useEffect(() => {
    if (!hasPasskey) return;
    let isLeft = false;
    void offerPasskeys().then(async (passkey) => {
      if (passkey && !isLeft) await action.run(() => enterWith(passkey));
    });
    return () => {
      isLeft = true;
      void stopOffering();
    };
  }, [hasPasskey]);
  const usePasskey = async () => enterWith(await signWithPasskey());
  const hasOthers = hasPasskey || providers.length > 0;
  return (
    <SignInPage title={t("sign-in")}>
      {hasPassword && <PasswordForm onSignedIn={leavePage} onSecond={onSecond} />}
      {hasPassword && hasOthers && <p class="or row gap-12 muted">{t("sign-in.or")}</p>}
      {providers.length > 0 && <ProviderLinks providers={providers} returnTo={pathAfter()} />}
      {hasPasskey && (
        <Button wide busy={action.busy} onClick={() => void action.run(usePasskey)}>
          {t("way.passkey")}
        </Button>
      )}
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {passwords ? (
        <p class="muted small">
          {t(store.team.value?.is_empty ? "sign-in.empty" : "sign-in.no-account")}
        </p>
      ) : (
        !hasPassword && (
          <p class="small">
            <a href="/signin?password=1" target="_self">
              {t("sign-in.emergency")}
            </a>
          </p>
        )
      )}
      <LeftHere />
    </SignInPage>
  );
}

async function enterWith(passkey: PasskeyAssertion): Promise<void> {
  store.enter(await store.call("POST /api/auth/passkey", { body: { passkey } }));
  leavePage();
}

/** Stays at the requested address; only /signin leads to another one. */
function leavePage(): void {
  hasSignedOut.value = false;
  if (route.value.name === "signin") navigateTo(pathAfter(), true);
}

/** The path to open after the sign-in, from the address of the sign-in page if it has one. */
function pathAfter(): string {
  if (route.value.name !== "signin") return location.pathname + location.hash;
  const returnTo = new URLSearchParams(location.search).get("return_to") ?? "/";
  const isOwn =
    URL.canParse(returnTo, location.origin) &&
    new URL(returnTo, location.origin).origin === location.origin;
  return isOwn ? returnTo : "/";
}

/**
 * Whether the address is the one for accounts that keep their password where a provider is
 * exclusive.
 */
const isEmergency = () => new URLSearchParams(location.search).has("password");

/**
 * The provider to redirect to if it is the only sign-in method, unless someone has just signed out
 * here.
 */
function findOnlyProvider({ passwords, providers }: SignInMethods) {
  if (passwords || isEmergency() || hasSignedOut.value || providers.length !== 1) return null;
  return providers[0] ?? null;
}

/** The second factors of the sign-in in progress in this browser; null if it has expired. */
async function continueSignIn(): Promise<Factor[] | null> {
  const step = await store.call("GET /api/auth/login/second").catch(() => null);
  return step?.factors ?? null;
}

/**
 * Reports unsent messages and drafts that are left in this browser, and deletes them on request.
 */
function LeftHere() {
  const count = () => {
    const { messages, drafts } = countLeftBehind(storage);
    return messages + drafts;
  };
  const [remaining, setRemaining] = useState(count);
  const [isAsking, setAsking] = useState(false);
  if (remaining === 0) return null;
  const remove = async () => {
    deleteLeftBehind(storage);
    setRemaining(count());
  };
  return (
    <>
      <p class="muted small">{t("left-here.text", { count: remaining })}</p>
      <Button wide onClick={() => setAsking(true)}>
        {t("left-here.delete")}
      </Button>
      {isAsking && (
        <Confirm
          title={t("left-here.title")}
          text={t("left-here.question")}
          action={t("left-here.delete")}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** Its target reaches up, not over the field below. */
const AT_LABEL = {
  order: -1,
  marginInlineStart: "auto",
  padding: "4px 0",
  "--reach": "-20px 0 0",
};

type PasswordFormProps = { onSignedIn(): void; onSecond(factors: Factor[]): void };

/** Signs in with a username and a password. The browser suggests passkeys in the username field. */
function PasswordForm({ onSignedIn, onSecond }: PasswordFormProps) {
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
    <Form action={action} submit={t("sign-in")} wide isErrorFirst onSubmit={submit}>
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
        link={
          <a class="link small reach" style={AT_LABEL} href="/forgot-password">
            {t("sign-in.forgot")}
          </a>
        }
      />
    </Form>
  );
}

type SecondStepProps = { factors: Factor[]; onSignedIn(): void; onBack(): void };

function SecondStep({ factors, onSignedIn, onBack }: SecondStepProps) {
  return (
    <SignInPage title={t("second-step.title")} text={t("second-step.text")}>
      <Ways
        ways={factors}
        submit={t("sign-in")}
        onSend={async (proof) => {
          // A password is not a second factor, so it is never offered here.
          const { password: _, ...body } = proof;
          store.enter(await store.call("POST /api/auth/login/second", { body }));
          onSignedIn();
        }}
      />
      <div>
        <button type="button" class="link small control" onClick={onBack}>
          {t("second-step.back")}
        </button>
      </div>
    </SignInPage>
  );
}
