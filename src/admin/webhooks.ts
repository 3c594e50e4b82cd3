import { toUser, type UserFields, userFieldsJson } from "../users/users.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { SqlClient, Transaction } from "../database/connect.ts";
import { deleteAnyWebhook } from "../webhooks/shared.ts";
import { makeUnknownWebhookRefusal } from "../messages/refusals.ts";
import { decodeIdCursor, toPage } from "../platform/input/cursor.ts";
import type { AdminWebhook } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";

/** Webhooks of both directions in all rooms, the latest first, without their deliveries. */
export async function listWebhooks(sql: SqlClient, query: PageQuery): Promise<Page<AdminWebhook>> {
  const before = decodeIdCursor(query.cursor);
  const rows = await sql<AdminWebhookRow[]>`
    select h.*, r.name as room_name,
      json_build_object('id', u.id, ${sql.unsafe(userFieldsJson("u"))}) as creator
    from (
      select id, 'incoming' as direction, room_id, name, null as url, true as is_active,
        null as disabled_reason, created_by, created_at, last_used_at
      from incoming_webhooks
      union all
      select id, 'outgoing', room_id, name, url, is_active, disabled_reason, created_by, created_at,
        (select max(tried_at) from webhook_deliveries where hook_id = outgoing_webhooks.id)
      from outgoing_webhooks
    ) h join rooms r on r.id = h.room_id and r.deleted_at is null
      join users u on u.id = h.created_by
    where ${before}::uuid is null or h.id < ${before}::uuid
    order by h.id desc limit ${query.limit + 1}`;
  return toPage(rows, query.limit, ({ id }) => id, toAdminWebhook);
}

/** @throws Refusal `webhook_not_found` */
export async function deleteWebhook(
  tx: Transaction,
  actor: AuditActor,
  id: string,
): Promise<{ name: string }> {
  const webhook = await deleteAnyWebhook(tx, id);
  if (!webhook) throw makeUnknownWebhookRefusal();
  await writeAudit(tx, actor, "webhook.delete", { id, name: webhook.name });
  return webhook;
}

function toAdminWebhook(row: AdminWebhookRow): AdminWebhook {
  const { id, direction, name, url, is_active, disabled_reason } = row;
  return {
    id,
    direction,
    room: { id: row.room_id, name: row.room_name },
    name,
    url,
    is_active,
    disabled_reason,
    created_by: toUser(row.creator),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

type AdminWebhookRow = Pick<
  AdminWebhook,
  "id" | "direction" | "name" | "url" | "is_active" | "disabled_reason"
> & {
  created_at: Date;
  last_used_at: Date | null;
  room_id: string;
  room_name: string;
  creator: UserFields & { id: string };
};
