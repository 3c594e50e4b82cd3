import { Button } from "../parts/button.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { t } from "../words/translate.ts";

type OneTimeSecretProps = {
  title: string;
  text: string;
  label: string;
  value: string;
  onClose(): void;
};

/** Shows a value that is shown only once: a password, a token or a link. */
export function OneTimeSecret({ title, text, label, value, onClose }: OneTimeSecretProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <CopyField label={label} value={value} />
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </Dialog>
  );
}
