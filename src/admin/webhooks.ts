import { sql } from "drizzle-orm";
import { avatarUrl } from "../accounts/users.ts";
import type { Query } from "../database/connect.ts";
import { decodeIdCursor, page } from "../platform/cursor.ts";
import type { AdminWebhook } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";

type Row = Pick<AdminWebhook, "id" | "direction" | "name" | "url" | "is_active"> & {
  disabled_reason: string | null;
  created_at: string;
  last_used_at: string | null;
  room_id: string;
  room_name: string;
  user_id: string;
  username: string;
  display_name: string | null;
  avatar_version: string | null;
  is_bot: boolean;
  user_is_active: boolean;
};

/** Webhooks of all rooms, of both directions, the latest first: not what they carry. */
export async function listWebhooks(tx: Query, query: PageQuery): Promise<Page<AdminWebhook>> {
  const before = decodeIdCursor(query.cursor);
  const rows = (await tx.execute(sql`
    select h.*, r.name as room_name, u.id as user_id, u.username, u.display_name,
      u.avatar_version, u.is_bot, u.is_active as user_is_active
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
    order by h.id desc limit ${query.limit + 1}`)) as unknown as Row[];
  const { items, next } = page(rows, query.limit, ({ id }) => id);
  return { items: items.map(toWebhook), next };
}

function toWebhook(row: Row): AdminWebhook {
  const { id, direction, name, url, is_active, disabled_reason, created_at, last_used_at } = row;
  return {
    id,
    direction,
    room: { id: row.room_id, name: row.room_name },
    name,
    url,
    is_active,
    disabled_reason,
    created_by: {
      id: row.user_id,
      username: row.username,
      display_name: row.display_name,
      avatar_url: avatarUrl(row.user_id, row.avatar_version),
      is_bot: row.is_bot,
      is_active: row.user_is_active,
    },
    created_at: new Date(created_at).toISOString(),
    last_used_at: last_used_at && new Date(last_used_at).toISOString(),
  };
}
