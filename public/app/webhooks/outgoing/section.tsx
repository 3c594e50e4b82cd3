import { useEffect, useState } from "preact/hooks";
import type { MyRoom, Page } from "../../../../src/wire/models.ts";
import type { OutgoingWebhook } from "../../../../src/wire/outgoing-webhooks.ts";
import { store } from "../../session/store.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { useAction } from "../../parts/use-action.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { StatusLine } from "./status-line.tsx";
import { describeWebhookStatus } from "./status.ts";
import { t } from "../../words/translate.ts";

/** The room's outgoing webhooks, for its owner and admins. */
export function OutgoingWebhooks({ room }: { room: MyRoom }) {
  const [webhooks, setWebhooks] = useState<OutgoingWebhook[] | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const action = useAction();
  const base = `/api/rooms/${room.id}/outgoing-webhooks`;
  const load = async () =>
    setWebhooks((await store.api.get<Page<OutgoingWebhook>>(`${base}?limit=200`)).items);
  useEffect(() => void action.run(load), [room.id]);
  const reload = () => void action.run(load);
  const open = webhooks?.find((webhook) => webhook.id === openId);
  return (
    <section class="webhooks">
      <header>
        <h3 class="grow">{t("webhooks.outgoing")}</h3>
        <Button onClick={() => setAdding(true)}>{t("webhooks.add")}</Button>
      </header>
      {webhooks?.length === 0 && <p class="muted small">{t("webhooks.none")}</p>}
      <ul class="list">
        {webhooks?.map((webhook) => (
          <li key={webhook.id}>
            <button type="button" class="webhook" onClick={() => setOpenId(webhook.id)}>
              <span class="name truncate">{webhook.name}</span>
              <span class="muted small truncate">{webhook.url}</span>
              <StatusLine of={describeWebhookStatus(webhook)} />
            </button>
          </li>
        ))}
      </ul>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {adding && <NewWebhook base={base} onCreated={reload} onClose={() => setAdding(false)} />}
      {open && (
        <WebhookDialog
          base={base}
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
