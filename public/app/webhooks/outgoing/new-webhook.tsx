import { useState } from "preact/hooks";
import type { CreateOutgoingWebhook } from "../../../../src/wire/webhooks.ts";
import { store } from "../../session/store.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { OneTimeSecret } from "../../parts/one-time-secret.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { t } from "../../words/translate.ts";

const EMPTY: CreateOutgoingWebhook = { name: "", url: "", events: ["message.created"] };

type NewProps = { roomId: string; onCreated(): void; onClose(): void };

/** The form of a new outgoing webhook, and then its secret, which is shown once. */
export function NewWebhook({ roomId, onCreated, onClose }: NewProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const create = async (body: CreateOutgoingWebhook) => {
    const input = { params: { id: roomId }, body };
    setSecret((await store.call("POST /api/rooms/:id/outgoing-webhooks", input)).secret);
    onCreated();
  };
  if (secret) {
    return (
      <OneTimeSecret
        key="secret"
        title={t("webhooks.secret-title")}
        text={t("webhooks.secret-text")}
        label={t("webhooks.secret")}
        value={secret}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog key="form" title={t("webhooks.add")} onClose={onClose}>
      <WebhookForm initial={EMPTY} label={t("webhooks.add")} onSubmit={create} onCancel={onClose} />
    </Dialog>
  );
}
