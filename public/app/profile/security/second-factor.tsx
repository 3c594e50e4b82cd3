import { ShieldCheck, ShieldOff } from "lucide";
import { useState } from "preact/hooks";
import type { SecondFactorState } from "../../../../src/wire/sign-in.ts";
import { store } from "../../session/store.ts";
import { showToast } from "../../session/toasts.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm, Form } from "../../parts/form.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { Icon } from "../../parts/icon.tsx";
import { dayAhead } from "../../parts/times.ts";
import { useAction } from "../../parts/use-action.ts";
import { Authenticator } from "./authenticator.tsx";
import { Passkeys } from "./passkeys.tsx";
import { formatList, t } from "../../words/translate.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";

type SecondFactorProps = { state: SecondFactorState; onChanged(): Promise<void> };

/** The second factor: whether it is on, in one sentence, and then its methods. */
export function SecondFactor({ state, onChanged }: SecondFactorProps) {
  /** Recovery codes that were just created, and whether one must be typed. */
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isRenewing, setRenewing] = useState(false);
  const action = useAction();
  /** @param newCodes recovery codes, which the service returns only with the first factor */
  const onAdded = async (newCodes: string[] | null) => {
    if (newCodes) setCodes(newCodes);
    await onChanged();
  };
  const renew = async () => {
    const { recovery_codes } = await store.call("POST /api/auth/me/recovery-codes");
    setCodes(recovery_codes);
  };
  const isAny = state.is_on || state.is_pending;
  return (
    <section class="card">
      <h2>{t("security.title")}</h2>
      <p class="status">
        <Icon of={state.is_on ? ShieldCheck : ShieldOff} /> {describeState(state)}
      </p>
      {state.is_required && !state.is_on && (
        <p class="notice rounded" role="status">
          {describeRequirement(state)}
        </p>
      )}
      <Authenticator isOn={state.totp} onAdded={onAdded} onRemoved={onChanged} />
      <Passkeys onAdded={onAdded} onRemoved={onChanged} />
      {isAny && (
        <div class="setting-row row wrap">
          <div class="grow">
            <h3>{t("recovery.title")}</h3>
            <p class="muted small">
              {state.is_pending
                ? t("recovery.pending")
                : t("recovery.left", { count: state.recovery_codes_left })}
            </p>
          </div>
          <Button
            busy={action.busy}
            onClick={() => (state.is_on ? setRenewing(true) : void action.run(renew))}
          >
            {t(state.is_on ? "recovery.renew" : "recovery.finish")}
          </Button>
        </div>
      )}
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {isRenewing && (
        <Confirm
          title={t("recovery.renew-title")}
          text={t("recovery.renew-text")}
          action={t("recovery.renew")}
          onClose={() => setRenewing(false)}
          onConfirm={renew}
        />
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          isTypedBack={!state.is_on}
          onClose={() => {
            setCodes(null);
            void onChanged();
          }}
          onOn={() => showToast(t("security.is-on"))}
        />
      )}
    </section>
  );
}

function describeState({ is_on, is_pending, totp, passkeys }: SecondFactorState): string {
  if (is_pending) return t("security.pending");
  if (!is_on) return t("security.off");
  const ways = [
    ...(totp ? [t("security.with-app")] : []),
    ...(passkeys > 0 ? [t("security.with-passkeys", { count: passkeys })] : []),
  ];
  return t("security.on", { ways: formatList(ways) });
}

function describeRequirement({ required_from, is_restricted }: SecondFactorState): string {
  if (is_restricted || !required_from) return t("security.required-now");
  return t("security.required-from", { day: dayAhead(new Date(required_from)) });
}

type RecoveryCodesProps = {
  codes: string[];
  /** Whether one of the codes must be typed before the second factor is enabled. */
  isTypedBack: boolean;
  onClose(): void;
  onOn(): void;
};

/**
 * Shows recovery codes, which cannot be shown again. Closing asks for confirmation unless they were
 * saved.
 */
function RecoveryCodes({ codes, isTypedBack, onClose, onOn }: RecoveryCodesProps) {
  const [isKept, setKept] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState("");
  const action = useAction();
  const text = codes.join("\n");
  const close = () => {
    if (isTypedBack || !isKept) setAsking(true);
    else onClose();
  };
  const submit = async () => {
    if (isTypedBack) {
      const body = { recovery_code: typed };
      await store.call("POST /api/auth/me/recovery-codes/saved", { body });
      onOn();
    }
    onClose();
  };
  const isLeaving = isAsking && (isTypedBack || !isKept);
  return (
    <Dialog title={t("recovery.title")} asksFirst onClose={close}>
      <Form
        action={action}
        submit={t(isTypedBack ? "recovery.turn-on" : "done")}
        disabled={isTypedBack && typed.trim() === ""}
        button={
          isLeaving && (
            <Button kind="danger" onClick={onClose}>
              {t("secret.close-anyway")}
            </Button>
          )
        }
        onSubmit={submit}
      >
        <p>{t("recovery.text")}</p>
        <CopyField
          label={t("recovery.codes")}
          value={text}
          multiline
          isPrimary
          autofocus
          onCopied={() => setKept(true)}
        />
        <p>
          <a
            class="button"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="snug-recovery-codes.txt"
            onClick={() => setKept(true)}
          >
            {t("image.download")}
          </a>
        </p>
        {isTypedBack && (
          <Field
            label={t("recovery.type-back")}
            hint={t("recovery.type-back-hint")}
            value={typed}
            onValue={setTyped}
            autocomplete="off"
            required
          />
        )}
        {isLeaving && (
          <ErrorText>{t(isTypedBack ? "recovery.not-on" : "secret.not-copied")}</ErrorText>
        )}
      </Form>
    </Dialog>
  );
}
