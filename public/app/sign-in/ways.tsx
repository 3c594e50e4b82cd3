import { useEffect, useRef, useState } from "preact/hooks";
import type { Identity, Proof, ProofWay } from "../../../src/wire/sign-in.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { CODE_LENGTH, CodeField, digitsOf } from "./code-field.tsx";
import { canUsePasskeys, signWithPasskey } from "./passkey.ts";
import { ProviderLinks } from "./provider-links.tsx";
import { t } from "../words/translate.ts";

/** The preferred reauthentication method comes first. */
const ORDER = ["totp", "passkey", "password", "provider", "recovery_code"] as const;

type WaysProps = {
  ways: ProofWay[];
  submit: string;
  onSend(proof: Proof): Promise<unknown>;
};

/** Asks for one of several methods, and offers the others below it. */
export function Ways({ ways, submit, onSend }: WaysProps) {
  const usable = ORDER.filter(
    (way) => ways.includes(way) && (way !== "passkey" || canUsePasskeys()),
  );
  const [chosen, setChosen] = useState<ProofWay | null>(null);
  const way = chosen ?? usable[0];
  const box = useRef<HTMLDivElement>(null);
  // `autofocus` works only once per page.
  useEffect(() => box.current?.querySelector<HTMLElement>("input, button")?.focus(), [way]);
  if (!way) return <p>{t("way.none-here")}</p>;
  return (
    <>
      <div class="form" ref={box}>
        <WayForm key={way} way={way} submit={submit} onSend={onSend} />
      </div>
      {usable.length > 1 && (
        <ul class="ways stack">
          {usable
            .filter((other) => other !== way)
            .map((other) => (
              <li key={other}>
                <Button onClick={() => setChosen(other)}>{t(`way.${other}`)}</Button>
              </li>
            ))}
        </ul>
      )}
    </>
  );
}

type WayFormProps = Omit<WaysProps, "ways"> & { way: ProofWay };

/** A form for one method. It is remounted for another method, so that the error does not stay. */
function WayForm({ way, submit, onSend }: WayFormProps) {
  const [text, setText] = useState("");
  const action = useAction();
  const send = (proof: Proof) =>
    onSend(proof).catch((error: unknown) => {
      setText("");
      throw error;
    });
  if (way === "provider") return <OwnProviders />;
  if (way === "passkey") {
    const sign = async () => send({ passkey: await signWithPasskey() });
    return (
      <Form action={action} submit={t("way.passkey")} wide onSubmit={sign}>
        <p class="muted">{t("way.passkey-text")}</p>
      </Form>
    );
  }
  const isTyped = way !== "totp" || digitsOf(text).length === CODE_LENGTH;
  const submitText = () => send({ [way]: way === "totp" ? digitsOf(text) : text });
  return (
    <Form action={action} submit={submit} wide disabled={!isTyped} onSubmit={submitText}>
      {way === "totp" ? (
        <CodeField
          value={text}
          onValue={setText}
          onComplete={(code) => void action.run(() => send({ totp: code }))}
        />
      ) : (
        <Field
          label={t(way === "password" ? "password" : "way.recovery-code-label")}
          hint={way === "recovery_code" ? t("way.recovery-code-hint") : undefined}
          type={way === "password" ? "password" : "text"}
          value={text}
          onValue={setText}
          autocomplete={way === "password" ? "current-password" : "off"}
          required
          autofocus
        />
      )}
    </Form>
  );
}

/** Signing in again with a provider is a reauthentication, too. */
function OwnProviders() {
  const [identities, setIdentities] = useState<Identity[]>([]);
  const action = useAction();
  useEffect(() => {
    void action.run(async () => {
      setIdentities((await store.call("GET /api/auth/me/identities")).items);
    });
  }, []);
  const providers = identities.flatMap(({ provider }) => provider ?? []);
  return (
    <>
      <p class="muted">{t("way.provider-text")}</p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <ProviderLinks providers={providers} returnTo={location.pathname} isProof />
    </>
  );
}
