import { useState } from "preact/hooks";
import { encode } from "uqr";
import type { TotpSecret } from "../../../../src/wire/sign-in.ts";
import { store } from "../../session/store.ts";
import { showToast } from "../../session/toasts.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm, Form } from "../../parts/form.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { useAction } from "../../parts/use-action.ts";
import { CodeField } from "../../sign-in/code-field.tsx";
import { t } from "../../words/translate.ts";

type AuthenticatorProps = {
  isOn: boolean;
  onAdded(recoveryCodes: string[] | null): Promise<void>;
  onRemoved(): Promise<void>;
};

/** Sets up and removes an authenticator app, which shows a new code every 30 seconds (RFC 6238). */
export function Authenticator({ isOn, onAdded, onRemoved }: AuthenticatorProps) {
  const [secret, setSecret] = useState<TotpSecret | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const action = useAction();
  const begin = () => action.run(async () => setSecret(await store.call("POST /api/auth/me/totp")));
  return (
    <div class="setting-row row wrap">
      <div class="grow">
        <h3>{t("authenticator.title")}</h3>
        <p class="muted small">{t(isOn ? "authenticator.on" : "authenticator.text")}</p>
        {action.error && <ErrorText>{action.error}</ErrorText>}
      </div>
      {isOn && <Button onClick={() => setRemoving(true)}>{t("action.remove")}</Button>}
      <Button busy={action.busy} onClick={() => void begin()}>
        {t(isOn ? "authenticator.replace" : "authenticator.set-up")}
      </Button>
      {secret && (
        <SetUp
          secret={secret}
          onClose={() => setSecret(null)}
          onConfirmed={async (codes) => {
            setSecret(null);
            if (!codes) showToast(t("authenticator.is-on"));
            await onAdded(codes);
          }}
        />
      )}
      {isRemoving && (
        <Confirm
          title={t("authenticator.remove-title")}
          text={t("security.remove-text")}
          action={t("action.remove")}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await store.call("DELETE /api/auth/me/totp");
            showToast(t("authenticator.removed"));
            await onRemoved();
          }}
        />
      )}
    </div>
  );
}

type SetUpProps = {
  secret: TotpSecret;
  onClose(): void;
  onConfirmed(recoveryCodes: string[] | null): Promise<void>;
};

function SetUp({ secret, onClose, onConfirmed }: SetUpProps) {
  const [code, setCode] = useState("");
  const action = useAction();
  const confirm = async (code: string) => {
    const body = { code };
    const { recovery_codes } = await store
      .call("POST /api/auth/me/totp/confirm", { body })
      .catch((error: unknown) => {
        setCode("");
        throw error;
      });
    await onConfirmed(recovery_codes);
  };
  return (
    <Dialog title={t("authenticator.set-up-title")} onClose={onClose}>
      <Form
        action={action}
        submit={t("action.confirm")}
        disabled={code.trim() === ""}
        onCancel={onClose}
        onSubmit={() => confirm(code.replace(/\D/g, ""))}
      >
        <p>{t("authenticator.scan")}</p>
        <QrCode text={secret.uri} label={t("authenticator.qr")} />
        <CopyField label={t("authenticator.secret")} value={inGroups(secret.secret)} rows={2} />
        <CodeField
          value={code}
          onValue={setCode}
          onComplete={(code) => void action.run(() => confirm(code))}
        />
      </Form>
    </Dialog>
  );
}

/** In groups of four characters; apps ignore the spaces. */
const inGroups = (secret: string) => secret.replace(/(.{4})(?=.)/g, "$1 ");

/** The white margin around the code, in modules (ISO/IEC 18004 requires four). */
const BORDER = 4;

/** A QR code of a text, black on white in every theme so that cameras can read it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: BORDER });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      class="qr-code rounded"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
