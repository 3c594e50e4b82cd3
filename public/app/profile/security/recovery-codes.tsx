import { useState } from "preact/hooks";
import { store } from "../../session/store.ts";
import { Button } from "../../parts/button.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { Field } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { useAction } from "../../parts/use-action.ts";
import { t } from "../../words/translate.ts";

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
export function RecoveryCodes({ codes, isTypedBack, onClose, onOn }: RecoveryCodesProps) {
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
