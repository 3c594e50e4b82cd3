import type { NewIncomingWebhook } from "../../../../src/wire/incoming-webhooks.ts";
import { Button } from "../../parts/button.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { t } from "../../words/translate.ts";

/** Shows the URL of a new incoming webhook, once, and how to post to it. */
export function NewUrl({ webhook, onClose }: { webhook: NewIncomingWebhook; onClose(): void }) {
  const curl = `curl ${webhook.url} \\
  -H "Content-Type: application/json" \\
  -d '{"text": "${t("incoming.sample")}"}'`;
  return (
    <Dialog title={t("incoming.url-of", { name: webhook.name })} onClose={onClose}>
      <p>{t("incoming.keep")}</p>
      <CopyField label={t("webhooks.url")} value={webhook.url} />
      <CopyField label={t("incoming.try")} value={curl} multiline />
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </Dialog>
  );
}
