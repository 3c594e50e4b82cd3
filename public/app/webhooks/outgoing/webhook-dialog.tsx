import { useState } from "preact/hooks";
import type { OutgoingWebhook, UpdateOutgoingWebhook } from "../../../../src/wire/webhooks.ts";
import { store } from "../../session/store.ts";
import { showToast } from "../../session/toasts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { OneTimeSecret } from "../../parts/one-time-secret.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { useAction } from "../../parts/use-action.ts";
import { Confirm } from "../../parts/form.tsx";
import { Deliveries } from "./deliveries.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { describeWebhookStatus, StatusLine } from "./status.tsx";
import { untilTime } from "../../parts/times.ts";
import { t } from "../../words/translate.ts";

type WebhookProps = {
  roomId: string;
  webhook: OutgoingWebhook;
  onChanged(): void;
  onClose(): void;
};
type Mode = { what: "view" | "edit" | "delete" | "rotate" } | { what: "secret"; secret: string };

export function WebhookDialog({ roomId, webhook, onChanged, onClose }: WebhookProps) {
  const [mode, setMode] = useState<Mode>({ what: "view" });
  /** Incremented to reload the list of deliveries. */
  const [version, setVersion] = useState(0);
  const action = useAction();
  const params = { id: roomId, hook_id: webhook.id };
  const view = () => setMode({ what: "view" });
  const change = async (body: UpdateOutgoingWebhook) => {
    const input = { params, body };
    await store.call("PATCH /api/rooms/:id/outgoing-webhooks/:hook_id", input);
    onChanged();
  };
  const test = () =>
    action.run(async () => {
      await store.call("POST /api/rooms/:id/outgoing-webhooks/:hook_id/test", { params });
      setVersion(version + 1);
    });
  const setActive = (is_active: boolean) =>
    action.run(async () => {
      await change({ is_active });
      showToast(is_active ? t("webhooks.resumed") : t("webhooks.paused"));
    });
  const rotate = async () => {
    const { secret } = await store.call(
      "POST /api/rooms/:id/outgoing-webhooks/:hook_id/rotate-secret",
      { params },
    );
    onChanged();
    setMode({ what: "secret", secret });
  };
  return (
    <Dialog title={webhook.name} wide onClose={onClose}>
      <div class="form webhook-page scroll">
        <About webhook={webhook} />
        <div class="buttons">
          <Button busy={action.busy} onClick={() => void test()}>
            {t("action.send-test")}
          </Button>
          <Button onClick={() => void setActive(!webhook.is_active)}>
            {webhook.is_active ? t("webhooks.pause") : t("action.resume")}
          </Button>
          <Button onClick={() => setMode({ what: "edit" })}>{t("edit")}</Button>
          <Button onClick={() => setMode({ what: "rotate" })}>{t("webhooks.rotate")}</Button>
          <Button kind="danger" onClick={() => setMode({ what: "delete" })}>
            {t("delete")}
          </Button>
        </div>
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <Deliveries
          params={params}
          isActive={webhook.is_active}
          version={version}
          onLoaded={onChanged}
        />
      </div>
      {mode.what === "edit" && (
        <Dialog title={t("webhooks.edit-title")} onClose={view}>
          <WebhookForm
            initial={webhook}
            label={t("save")}
            onSubmit={async (changes) => {
              await change(changes);
              view();
            }}
            onCancel={view}
          />
        </Dialog>
      )}
      {mode.what === "secret" && (
        <OneTimeSecret
          title={t("webhooks.new-secret")}
          text={t("webhooks.new-secret-text")}
          label={t("webhooks.secret")}
          value={mode.secret}
          onClose={view}
        />
      )}
      {mode.what === "rotate" && (
        <Confirm
          title={t("webhooks.rotate-title")}
          text={t("webhooks.rotate-text")}
          action={t("webhooks.rotate-action")}
          onConfirm={rotate}
          onClose={() => setMode((now) => (now.what === "rotate" ? { what: "view" } : now))}
        />
      )}
      {mode.what === "delete" && (
        <Confirm
          title={t("delete-title", { name: webhook.name })}
          text={t("webhooks.delete-text")}
          action={t("webhooks.delete")}
          onConfirm={async () => {
            await store.call("DELETE /api/rooms/:id/outgoing-webhooks/:hook_id", { params });
            onClose();
          }}
          onClose={view}
        />
      )}
    </Dialog>
  );
}

function About({ webhook }: { webhook: OutgoingWebhook }) {
  const until = webhook.previous_secret_until;
  return (
    <div class="stack gap-4">
      <StatusLine of={describeWebhookStatus(webhook)} />
      <p class="words">{webhook.url}</p>
      <p class="muted small">{webhook.events.map((event) => t(`event.${event}`)).join(", ")}</p>
      {until && <p class="muted small">{t("webhooks.both-until", { when: untilTime(until) })}</p>}
    </div>
  );
}
