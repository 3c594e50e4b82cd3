import { toUser } from "../accounts/users.ts";
import type { SqlClient } from "../database/connect.ts";
import { decodeIdCursor, toPage } from "../platform/cursor.ts";
import type { AdminWebhook } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { type AdminWebhookRow, readWebhooks } from "./statements.ts";

/** Webhooks of both directions in all rooms, the latest first, without what they deliver. */
export async function listWebhooks(sql: SqlClient, query: PageQuery): Promise<Page<AdminWebhook>> {
  const rows = await readWebhooks(sql, decodeIdCursor(query.cursor), query.limit + 1);
  return toPage(rows, query.limit, ({ id }) => id, toAdminWebhook);
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
    created_by: toUser({
      id: row.user_id,
      username: row.username,
      displayName: row.display_name,
      avatarVersion: row.avatar_version,
      isBot: row.is_bot,
      isActive: row.user_is_active,
    }),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
