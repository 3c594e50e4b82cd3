import { eq, sql } from "drizzle-orm";
import { toUser, userColumns } from "../../accounts/users.ts";
import type { Query } from "../../database/connect.ts";
import { outgoingWebhooks, users, type webhookDeliveries } from "../../database/schema.ts";
import type { OutgoingWebhook, WebhookDelivery } from "../../wire/outgoing-webhooks.ts";

export type HookRow = typeof outgoingWebhooks.$inferSelect;
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** As JSON, which is what a subquery can give of a row. */
const lastTried = sql<OutgoingWebhook["last_delivery"]>`(
  select jsonb_build_object('id', id, 'event', event, 'state', state, 'tried_at', to_char(
      tried_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', status, 'error', error)
  from webhook_deliveries
  where hook_id = ${outgoingWebhooks.id} and attempts > 0 order by id desc limit 1)`;

/** Webhooks with who made them and what came of the last delivery, to be narrowed by `where`. */
export function selectHooks(tx: Query) {
  return tx
    .select({
      hook: outgoingWebhooks,
      maker: userColumns,
      last: lastTried,
      now: sql<Date>`statement_timestamp()`.mapWith(outgoingWebhooks.createdAt),
    })
    .from(outgoingWebhooks)
    .innerJoin(users, eq(users.id, outgoingWebhooks.createdBy));
}

type Found = Awaited<ReturnType<typeof selectHooks>>[number];

/** A webhook as its room's owner and admins see it: without its secret. */
export function toHook({ hook, maker, last, now }: Found): OutgoingWebhook {
  const { previousUntil } = hook;
  return {
    id: hook.id,
    room_id: hook.roomId,
    name: hook.name,
    url: hook.url,
    events: hook.events,
    is_active: hook.isActive,
    disabled_reason: hook.disabledReason,
    failing_since: hook.failingSince?.toISOString() ?? null,
    previous_secret_until:
      previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
    created_by: toUser(maker),
    created_at: hook.createdAt.toISOString(),
    last_delivery: last,
  };
}

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
