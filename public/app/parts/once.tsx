import { Button } from "./button.tsx";
import { CopyField } from "./copy-field.tsx";
import { Dialog } from "./dialog.tsx";
import { t } from "../words/translate.ts";

export type OnceProps = { title: string; text: string; label: string; value: string };

/** Shows what is told once: a password, a token, a link. */
export function Once({ title, text, label, value, onClose }: OnceProps & { onClose(): void }) {
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
