import { useEffect, useState } from "preact/hooks";
import type { Page } from "../../../../src/wire/models.ts";
import type { WebhookDelivery } from "../../../../src/wire/outgoing-webhooks.ts";
import { store } from "../../session/store.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { useAction } from "../../parts/use-action.ts";
import { Delivery } from "./delivery.tsx";
import { t } from "../../words/translate.ts";

const PAGE = 20;
const LOOK_AGAIN_MS = 3_000;

type LogProps = {
  at: string;
  isActive: boolean;
  /** Another number: there is something new to read. */
  news: number;
  /** The log was read: what it says of the webhook may have changed. */
  onRead(): void;
};

/** What was sent, the newest first; it is looked at again while it is open. */
export function Deliveries({ at, isActive, news, onRead }: LogProps) {
  const [items, setItems] = useState<WebhookDelivery[] | null>(null);
  /** Where older ones begin; null where there are none, undefined before it is known. */
  const [older, setOlder] = useState<string | null | undefined>();
  const action = useAction();
  const read = (cursor: string | null) => {
    const query = cursor === null ? "" : `&cursor=${cursor}`;
    return store.api.get<Page<WebhookDelivery>>(`${at}/deliveries?limit=${PAGE}${query}`);
  };
  const readNewest = async () => {
    const page = await read(null);
    onRead();
    // Those that are shown already stay in their place, as they are now.
    setItems((before) => merge(before ?? [], page.items));
    setOlder((before) => (before === undefined ? page.next : before));
  };
  const readOlder = async () => {
    const page = await read(older ?? null);
    setItems((before) => merge(before ?? [], page.items));
    setOlder(page.next);
  };
  useEffect(() => {
    void action.run(readNewest);
    const timer = setInterval(() => {
      if (!document.hidden) readNewest().catch(() => {});
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [at, news]);
  const sendAgain = async (id: string) => {
    const now = await store.api.post<WebhookDelivery>(`${at}/deliveries/${id}/redeliver`);
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
          onSendAgain={() => sendAgain(delivery.id)}
        />
      ))}
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {older && (
        <div class="actions">
          <Button busy={action.busy} onClick={() => void action.run(readOlder)}>
            {t("deliveries.older")}
          </Button>
        </div>
      )}
    </section>
  );
}

/** By id, which is by age, the newest first. */
function merge(before: WebhookDelivery[], fresh: WebhookDelivery[]): WebhookDelivery[] {
  const all = new Map([...before, ...fresh].map((delivery) => [delivery.id, delivery]));
  return [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
