import { ChevronRight } from "lucide";
import { useState } from "preact/hooks";
import type { WebhookDelivery } from "../../../../src/wire/webhooks.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { atTime, fullTimeOf, formatWhen } from "../../parts/times.ts";
import { Icon } from "../../parts/icon.tsx";
import { useAction } from "../../parts/use-action.ts";
import { StatusLine } from "./status-line.tsx";
import { describeDeliveryStatus } from "./status.ts";
import { t } from "../../words/translate.ts";

type DeliveryProps = { delivery: WebhookDelivery; isActive: boolean; onResend(): Promise<void> };

/** A delivery: a row that expands to show the request and the response. */
export function Delivery({ delivery, isActive, onResend }: DeliveryProps) {
  const [open, setOpen] = useState(false);
  const action = useAction();
  return (
    <details
      class="delivery outlined"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary class="rounded hover">
        <span class="chevron flex muted">
          <Icon of={ChevronRight} />
        </span>
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
      ? t("deliveries.next", { when: atTime(next_at) })
      : t("deliveries.once-resumed");
  return [last, error, next].filter(Boolean).join(" ");
}

function formatJson(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
