import type { NewIncomingWebhook } from "../../../../src/wire/webhooks.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { OneTimeSecret } from "../../parts/one-time-secret.tsx";
import { t } from "../../words/translate.ts";

/** Shows the URL of a new incoming webhook, once, and how to post to it. */
export function NewUrl({ webhook, onClose }: { webhook: NewIncomingWebhook; onClose(): void }) {
  const curl = `curl ${webhook.url} \\
  -H "Content-Type: application/json" \\
  -d '{"text": "${t("incoming.sample")}"}'`;
  return (
    <OneTimeSecret
      title={t("incoming.url-of", { name: webhook.name })}
      text={t("incoming.keep")}
      label={t("webhooks.url")}
      value={webhook.url}
      onClose={onClose}
    >
      <CopyField label={t("incoming.try")} value={curl} multiline />
    </OneTimeSecret>
  );
}
