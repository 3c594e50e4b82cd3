import { Button } from "../../parts/button.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { t } from "../../words/translate.ts";

type SecretProps = { secret: string; text: string; onDone(): void };

/** Shows a new signing secret, once. */
export function Secret({ secret, text, onDone }: SecretProps) {
  return (
    <div class="form">
      <p>{text}</p>
      <CopyField label={t("webhooks.secret")} value={secret} />
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}
