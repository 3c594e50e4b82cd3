import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { CopyField } from "./copy-field.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorText } from "./error-text.tsx";
import { t } from "../words/translate.ts";

type OneTimeSecretProps = {
  title: string;
  text: string;
  label: string;
  value: string;
  onClose(): void;
  /** Usage instructions, shown below the value. */
  children?: ComponentChildren;
};

/**
 * Shows a value that cannot be shown again: a password, a token or a link. The copy
 * button has the focus, and closing asks for confirmation unless the value was copied.
 */
export function OneTimeSecret(props: OneTimeSecretProps) {
  const { title, text, label, value, onClose, children } = props;
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const close = () => {
    if (copied) onClose();
    else setAsking(true);
  };
  return (
    <Dialog title={title} asksFirst onClose={close}>
      <p>{text}</p>
      <CopyField label={label} value={value} isPrimary autofocus onCopied={() => setCopied(true)} />
      {children}
      {asking && !copied && <ErrorText>{t("secret.not-copied")}</ErrorText>}
      <div class="actions">
        {asking && !copied ? (
          <Button kind="danger" onClick={onClose}>
            {t("secret.close-anyway")}
          </Button>
        ) : (
          <Button onClick={close}>{t("done")}</Button>
        )}
      </div>
    </Dialog>
  );
}
