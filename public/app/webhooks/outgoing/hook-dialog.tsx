import { useState } from "preact/hooks";
import type {
  OutgoingWebhook,
  OutgoingWebhookWithSecret,
} from "../../../../src/wire/outgoing-webhooks.ts";
import { store } from "../../session/store.ts";
import { showToast } from "../../session/toasts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { useAction } from "../../parts/use-action.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Deliveries } from "./deliveries.tsx";
import { HookForm } from "./hook-form.tsx";
import { Secret } from "./secret.tsx";
import { Standing } from "./standing.tsx";
import { standingOfHook } from "./words.ts";
import { atTime } from "../../parts/times.ts";
import { t } from "../../words/translate.ts";

type HookProps = { base: string; hook: OutgoingWebhook; onChanged(): void; onClose(): void };
type Doing = { what: "look" | "edit" | "delete" | "rotate" } | { what: "secret"; secret: string };

/** One webhook: how it stands, what can be done with it, and what was sent. */
export function HookDialog({ base, hook, onChanged, onClose }: HookProps) {
  const [doing, setDoing] = useState<Doing>({ what: "look" });
  /** Counts what makes the log worth reading again at once. */
  const [news, setNews] = useState(0);
  const action = useAction();
  const at = `${base}/${hook.id}`;
  const look = () => setDoing({ what: "look" });
  const change = async (given: object) => {
    await store.api.patch(at, given);
    onChanged();
  };
  const test = () =>
    action.run(async () => {
      await store.api.post(`${at}/test`);
      setNews(news + 1);
    });
  const setActive = (is_active: boolean) =>
    action.run(async () => {
      await change({ is_active });
      showToast(is_active ? t("webhooks.resumed") : t("webhooks.paused"));
    });
  const rotate = async () => {
    const { secret } = await store.api.post<OutgoingWebhookWithSecret>(`${at}/rotate-secret`);
    onChanged();
    setDoing({ what: "secret", secret });
  };
  return (
    <Dialog title={hook.name} wide onClose={onClose}>
      <div class="form hook-page">
        <About hook={hook} />
        <div class="hook-actions">
          <Button busy={action.busy} onClick={() => void test()}>
            {t("webhooks.test")}
          </Button>
          <Button onClick={() => void setActive(!hook.is_active)}>
            {hook.is_active ? t("webhooks.pause") : t("webhooks.resume")}
          </Button>
          <Button onClick={() => setDoing({ what: "edit" })}>{t("edit")}</Button>
          <Button onClick={() => setDoing({ what: "rotate" })}>{t("webhooks.rotate")}</Button>
          <Button kind="danger" onClick={() => setDoing({ what: "delete" })}>
            {t("delete")}
          </Button>
        </div>
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <Deliveries at={at} isActive={hook.is_active} news={news} onRead={onChanged} />
      </div>
      {doing.what === "edit" && (
        <Dialog title={t("webhooks.edit-title")} onClose={look}>
          <HookForm
            given={hook}
            label={t("save")}
            onSubmit={async (given) => {
              await change(given);
              look();
            }}
            onCancel={look}
          />
        </Dialog>
      )}
      {doing.what === "secret" && (
        <Dialog title={t("webhooks.new-secret")} onClose={look}>
          <Secret secret={doing.secret} text={t("webhooks.new-secret-text")} onDone={look} />
        </Dialog>
      )}
      {doing.what === "rotate" && (
        <Confirm
          title={t("webhooks.rotate-title")}
          text={t("webhooks.rotate-text")}
          action={t("webhooks.rotate-action")}
          onConfirm={rotate}
          onClose={() => setDoing((now) => (now.what === "rotate" ? { what: "look" } : now))}
        />
      )}
      {doing.what === "delete" && (
        <Confirm
          title={t("webhooks.delete-title", { name: hook.name })}
          text={t("webhooks.delete-text")}
          action={t("webhooks.delete")}
          onConfirm={async () => {
            await store.api.delete(at);
            onClose();
          }}
          onClose={look}
        />
      )}
    </Dialog>
  );
}

function About({ hook }: { hook: OutgoingWebhook }) {
  const until = hook.previous_secret_until;
  return (
    <div class="about">
      <Standing of={standingOfHook(hook)} />
      <p class="address">{hook.url}</p>
      <p class="muted small">{hook.events.map((event) => t(`event.${event}`)).join(", ")}</p>
      {until && <p class="muted small">{t("webhooks.both-until", { when: atTime(until) })}</p>}
    </div>
  );
}
