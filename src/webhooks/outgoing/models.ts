import { eq, sql } from "drizzle-orm";
import { toUser, userColumns } from "../../accounts/users.ts";
import type { Query } from "../../database/connect.ts";
import { outgoingWebhooks, users, type webhookDeliveries } from "../../database/schema.ts";
import type { OutgoingWebhook, WebhookDelivery } from "../../wire/outgoing-webhooks.ts";

export type OutgoingWebhookRow = typeof outgoingWebhooks.$inferSelect;
type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** The last delivery that was attempted, as JSON, since a subquery returns one value. */
const lastAttempted = sql<OutgoingWebhook["last_delivery"]>`(
  select jsonb_build_object('id', id, 'event', event, 'state', state, 'tried_at', to_char(
      tried_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', status, 'error', error)
  from webhook_deliveries
  where hook_id = ${outgoingWebhooks.id} and attempts > 0 order by id desc limit 1)`;

/** Webhooks with their creators and the outcome of the last delivery, to be narrowed by `where`. */
export function selectOutgoingWebhooks(tx: Query) {
  return tx
    .select({
      webhook: outgoingWebhooks,
      creator: userColumns,
      last: lastAttempted,
      now: sql<Date>`statement_timestamp()`.mapWith(outgoingWebhooks.createdAt),
    })
    .from(outgoingWebhooks)
    .innerJoin(users, eq(users.id, outgoingWebhooks.createdBy));
}

type SelectedWebhook = Awaited<ReturnType<typeof selectOutgoingWebhooks>>[number];

/** A webhook as its room's owner and admins see it, without its secret. */
export function toOutgoingWebhook({
  webhook,
  creator,
  last,
  now,
}: SelectedWebhook): OutgoingWebhook {
  const { previousUntil } = webhook;
  return {
    id: webhook.id,
    room_id: webhook.roomId,
    name: webhook.name,
    url: webhook.url,
    events: webhook.events,
    is_active: webhook.isActive,
    disabled_reason: webhook.disabledReason,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    previous_secret_until:
      previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
    created_by: toUser(creator),
    created_at: webhook.createdAt.toISOString(),
    last_delivery: last,
  };
}

/** A delivery as the room's owner and admins see it. */
export function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    event: row.event,
    state: row.state,
    attempts: row.attempts,
    next_at: row.nextAt?.toISOString() ?? null,
    tried_at: row.triedAt?.toISOString() ?? null,
    status: row.status,
    error: row.error,
    duration_ms: row.durationMs,
    body: row.body,
    answer: row.answer,
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
  };
}
