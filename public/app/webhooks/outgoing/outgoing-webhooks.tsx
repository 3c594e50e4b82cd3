import { useEffect, useState } from "preact/hooks";
import type { MyRoom } from "../../../../src/wire/models.ts";
import type { CreateOutgoingWebhook, OutgoingWebhook } from "../../../../src/wire/webhooks.ts";
import { getAll } from "../../connection/api.ts";
import { store } from "../../session/store.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { useAction } from "../../parts/use-action.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { describeWebhookStatus, StatusLine } from "./status.tsx";
import { t } from "../../words/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { OneTimeSecret } from "../../parts/one-time-secret.tsx";
import { WebhookForm } from "./webhook-form.tsx";

/** A room's outgoing webhooks, for its owner and admins. */
export function OutgoingWebhooks({ room }: { room: MyRoom }) {
  const [webhooks, setWebhooks] = useState<OutgoingWebhook[] | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const action = useAction();
  const load = async () => {
    const params = { id: room.id };
    setWebhooks(await getAll(store.api, "GET /api/rooms/:id/outgoing-webhooks", { params }));
  };
  useEffect(() => void action.run(load), [room.id]);
  const reload = () => void action.run(load);
  const open = webhooks?.find((webhook) => webhook.id === openId);
  return (
    <section class="webhooks stack border-top">
      <header class="row wrap between">
        <h3>{t("webhooks.outgoing")}</h3>
        <Button onClick={() => setAdding(true)}>{t("webhooks.add")}</Button>
      </header>
      {webhooks?.length === 0 && <p class="muted small">{t("webhooks.none")}</p>}
      <ul class="list">
        {webhooks?.map((webhook) => (
          <li key={webhook.id}>
            <button
              type="button"
              class="webhook hover stack gap-4 rounded"
              onClick={() => setOpenId(webhook.id)}
            >
              <span class="strong truncate">{webhook.name}</span>
              <span class="muted small truncate">{webhook.url}</span>
              <StatusLine of={describeWebhookStatus(webhook)} />
            </button>
          </li>
        ))}
      </ul>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {adding && (
        <NewWebhook roomId={room.id} onCreated={reload} onClose={() => setAdding(false)} />
      )}
      {open && (
        <WebhookDialog
          roomId={room.id}
          webhook={open}
          onChanged={reload}
          onClose={() => {
            setOpenId(null);
            reload();
          }}
        />
      )}
    </section>
  );
}

const EMPTY: CreateOutgoingWebhook = { name: "", url: "", events: ["message.created"] };

type NewProps = { roomId: string; onCreated(): void; onClose(): void };

/** The form for a new outgoing webhook, and then its secret, which cannot be shown again. */
function NewWebhook({ roomId, onCreated, onClose }: NewProps) {
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
