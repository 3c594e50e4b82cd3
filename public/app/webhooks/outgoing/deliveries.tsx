import { useEffect, useState } from "preact/hooks";
import type { WebhookDelivery } from "../../../../src/wire/webhooks.ts";
import { store } from "../../session/store.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { useAction } from "../../parts/use-action.ts";
import { Delivery } from "./delivery.tsx";
import { t } from "../../words/translate.ts";

const PAGE = 20;
const POLL_MS = 3_000;

type LogProps = {
  params: { id: string; hook_id: string };
  isActive: boolean;
  /** Changing the number reloads the log. */
  version: number;
  /** Called after each load, because the status of the webhook may have changed. */
  onLoaded(): void;
};

/** The deliveries, newest first. Polls for new ones while it is open. */
export function Deliveries({ params, isActive, version, onLoaded }: LogProps) {
  const [items, setItems] = useState<WebhookDelivery[] | null>(null);
  /** The cursor of older deliveries; null if there are none, undefined before the first load. */
  const [older, setOlder] = useState<string | null | undefined>();
  const action = useAction();
  const fetchPage = (cursor: string | null) =>
    store.call("GET /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries", {
      params,
      query: { limit: PAGE, cursor: cursor ?? undefined },
    });
  const loadNewest = async () => {
    const page = await fetchPage(null);
    onLoaded();
    // Deliveries that are already listed keep their position and are updated.
    setItems((before) => merge(before ?? [], page.items));
    setOlder((before) => (before === undefined ? page.next : before));
  };
  const loadOlder = async () => {
    const page = await fetchPage(older ?? null);
    setItems((before) => merge(before ?? [], page.items));
    setOlder(page.next);
  };
  useEffect(() => {
    void action.run(loadNewest);
    const timer = setInterval(() => {
      if (!document.hidden) loadNewest().catch(() => {});
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [params.hook_id, version]);
  const resend = async (id: string) => {
    const now = await store.call(
      "POST /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries/:delivery_id/redeliver",
      { params: { ...params, delivery_id: id } },
    );
    setItems((before) => merge(before ?? [], [now]));
  };
  return (
    <section class="deliveries">
      <h3>{t("deliveries.title")}</h3>
      {items?.length === 0 && <p class="muted small">{t("deliveries.none")}</p>}
      {items?.map((delivery) => (
        <Delivery
          key={delivery.id}
          delivery={delivery}
          isActive={isActive}
          onResend={() => resend(delivery.id)}
        />
      ))}
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {older && (
        <div class="actions">
          <Button busy={action.busy} onClick={() => void action.run(loadOlder)}>
            {t("deliveries.older")}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Sorted by id, which is by time, newest first. */
function merge(before: WebhookDelivery[], fresh: WebhookDelivery[]): WebhookDelivery[] {
  const all = new Map([...before, ...fresh].map((delivery) => [delivery.id, delivery]));
  return [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
