import { CircleAlert, CircleCheck, CircleDashed } from "lucide";
import type { OutgoingWebhook, WebhookDelivery } from "../../../../src/wire/webhooks.ts";
import { Icon } from "../../parts/icon.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { atTime } from "../../parts/times.ts";
import { t } from "../../words/translate.ts";

type Status = {
  kind: "good" | "bad" | "idle";
  text: string;
  /** The time mentioned in the text. */
  at?: string;
};

export function describeWebhookStatus(webhook: OutgoingWebhook): Status {
  const { is_active, disabled_reason, failing_since, last_delivery: last } = webhook;
  if (disabled_reason) return { kind: "bad", text: t("status.off", { reason: disabled_reason }) };
  if (!is_active) return { kind: "idle", text: t("status.paused") };
  if (!last?.tried_at) return { kind: "idle", text: t("status.nothing") };
  if (last.state === "delivered") {
    const at = last.tried_at;
    return { kind: "good", text: t("status.delivered-at", { when: atTime(at) }), at };
  }
  const error = last.error ?? "";
  const text = failing_since
    ? t("status.failing", { when: atTime(failing_since), error })
    : t("status.last-failed", { error });
  return { kind: "bad", text, at: failing_since ?? undefined };
}

/** The result of a delivery, or when it is retried, as a text with a colour. */
export function describeDeliveryStatus(delivery: WebhookDelivery): Status {
  const { state, status, attempts } = delivery;
  if (state === "delivered")
    return { kind: "good", text: t("status.delivered", { status: status ?? "" }) };
  if (state === "failed")
    return {
      kind: "bad",
      text: status ? t("status.failed-with", { status }) : t("status.failed"),
    };
  if (attempts === 0) return { kind: "idle", text: t("status.queued") };
  return {
    kind: "bad",
    text: status ? t("status.retry-with", { status }) : t("status.retry"),
  };
}

const CLASSES = { good: "good", bad: "danger", idle: "muted" };
const ICONS = { good: CircleCheck, bad: CircleAlert, idle: CircleDashed };

export function StatusLine({ of }: { of: Status }) {
  return (
    <span class={`status small ${CLASSES[of.kind]}`}>
      <Icon of={ICONS[of.kind]} />
      <span>{of.at ? <TimeAgo at={of.at}>{of.text}</TimeAgo> : of.text}</span>
    </span>
  );
}
