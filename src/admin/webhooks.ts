import { desc, eq, lt, sql } from "drizzle-orm";
import { toUser, userColumns } from "../accounts/users.ts";
import type { Query } from "../database/connect.ts";
import { outgoingWebhooks, rooms, users, webhookDeliveries } from "../database/schema.ts";
import { decodeIdCursor, page } from "../platform/cursor.ts";
import type { AdminWebhook } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";

/** Webhooks of all rooms, the latest first: not what they carry. */
export async function listWebhooks(tx: Query, query: PageQuery): Promise<Page<AdminWebhook>> {
  const before = decodeIdCursor(query.cursor);
  const rows = await tx
    .select({
      hook: outgoingWebhooks,
      room: { id: rooms.id, name: rooms.name },
      createdBy: userColumns,
      lastUsedAt: sql<Date | null>`(select max(${webhookDeliveries.createdAt})
        from ${webhookDeliveries} where ${webhookDeliveries.hookId} = ${outgoingWebhooks.id})`.mapWith(
        outgoingWebhooks.createdAt,
      ),
    })
    .from(outgoingWebhooks)
    .innerJoin(rooms, eq(rooms.id, outgoingWebhooks.roomId))
    .innerJoin(users, eq(users.id, outgoingWebhooks.createdBy))
    .where(before === null ? undefined : lt(outgoingWebhooks.id, before))
    .orderBy(desc(outgoingWebhooks.id))
    .limit(query.limit + 1);
  const { items, next } = page(rows, query.limit, ({ hook }) => hook.id);
  return {
    items: items.map(({ hook, room, createdBy, lastUsedAt }) => ({
      id: hook.id,
      direction: "outgoing",
      room,
      name: hook.name,
      url: hook.url,
      is_active: hook.isActive,
      disabled_reason: hook.disabledReason,
      created_by: toUser(createdBy),
      created_at: hook.createdAt.toISOString(),
      last_used_at: lastUsedAt?.toISOString() ?? null,
    })),
    next,
  };
}
