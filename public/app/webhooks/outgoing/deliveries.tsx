import { useEffect, useState } from "preact/hooks";
import type { WebhookDelivery } from "../../../../src/wire/webhooks.ts";
import { Button } from "../../parts/button.tsx";
import { Chevron } from "../../parts/details.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { atTime, formatWhen, fullTimeOf, whenAhead } from "../../parts/times.ts";
import { useAction } from "../../parts/use-action.ts";
import { store } from "../../session/store.ts";
import { t } from "../../words/translate.ts";
import { describeDeliveryStatus, StatusLine } from "./status.tsx";

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
    <section class="stack">
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

type DeliveryProps = { delivery: WebhookDelivery; isActive: boolean; onResend(): Promise<void> };

function Delivery({ delivery, isActive, onResend }: DeliveryProps) {
  const [open, setOpen] = useState(false);
  const action = useAction();
  return (
    <details
      class="delivery outlined"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary class="grid rounded hover">
        <Chevron />
        <span class="event">{delivery.event}</span>
        <StatusLine of={describeDeliveryStatus(delivery)} />
        <time
          class="muted small digits"
          dateTime={delivery.created_at}
          title={fullTimeOf(delivery.created_at)}
        >
          {formatWhen(delivery.created_at)}
        </time>
      </summary>
      {open && (
        <div class="form">
          <p class="small">{describeAttempts(delivery, isActive)}</p>
          <Payload title={t("deliveries.sent")} text={formatJson(delivery.body)} />
          {delivery.answer && <Payload title={t("deliveries.response")} text={delivery.answer} />}
          {action.error && <ErrorText>{action.error}</ErrorText>}
          <div class="actions">
            <span class="muted small grow words">{`webhook-id ${delivery.id}`}</span>
            {isActive && (
              <Button busy={action.busy} onClick={() => void action.run(onResend)}>
                {t("action.resend")}
              </Button>
            )}
          </div>
        </div>
      )}
    </details>
  );
}

function Payload({ title, text }: { title: string; text: string }) {
  return (
    <div class="field">
      <span class="small strong">{title}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0} class="outlined words">
        {text}
      </pre>
    </div>
  );
}

function describeAttempts(delivery: WebhookDelivery, isActive: boolean): string {
  const { attempts, tried_at, duration_ms, error, next_at } = delivery;
  const last = tried_at
    ? t("deliveries.attempts", { count: attempts, when: atTime(tried_at), ms: duration_ms ?? 0 })
    : t("deliveries.no-attempts");
  const next = !next_at
    ? ""
    : isActive
      ? t("deliveries.next", { when: whenAhead(new Date(next_at)) })
      : t("deliveries.once-resumed");
  return [last, error, next].filter(Boolean).join(" ");
}

function formatJson(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
