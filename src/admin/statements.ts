/*
 * Hand-written SQL: drizzle cannot type a union of two tables whose columns differ; and lists of
 * accounts and rooms are read as versions of their rows, packed into one text (`bench/routes.ts`).
 */
import { toUserHeads, type UserHead } from "../accounts/statements.ts";
import type { SqlClient } from "../database/connect.ts";
import type { PackedRows } from "../database/packed-rows.ts";
import { IS_ONLINE } from "../presence/read.ts";
import type { AdminWebhook } from "../wire/admin.ts";

export type AdminWebhookRow = Pick<
  AdminWebhook,
  "id" | "direction" | "name" | "url" | "is_active" | "disabled_reason"
> & {
  created_at: Date;
  last_used_at: Date | null;
  room_id: string;
  room_name: string;
  user_id: string;
  username: string;
  display_name: string | null;
  avatar_version: string | null;
  is_bot: boolean;
  user_is_active: boolean;
};

/**
 * Reads webhooks of both directions in all rooms, the latest first.
 * @param before only those with a smaller id; null: from the start
 */
export async function readWebhooks(
  sql: SqlClient,
  before: string | null,
  limit: number,
): Promise<AdminWebhookRow[]> {
  return sql<AdminWebhookRow[]>`
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
    order by h.id desc limit ${limit}`;
}

/** Null: any. */
type AccountFilter = { isActive: boolean | null; isBot: boolean | null; pattern: string | null };

/**
 * Accounts whose usernames come after one, by username. A saved theme that is in use changes with its
 * user's row. A `case` around a filter keeps PostgreSQL from expecting one row, and sorting them all;
 * bots have an index, which a `case` would not use.
 */
export async function readAccountHeads(
  sql: SqlClient,
  filter: AccountFilter & { after: string; limit: number },
): Promise<UserHead[]> {
  const { isActive, isBot, pattern, after, limit } = filter;
  return toUserHeads(
    await sql<PackedRows[]>`
      select string_agg(concat_ws(' ', id, version, username), E'\n') as packed from (
        select id, xmin as version, username from users
        where username > ${after}
          and case when ${isActive}::boolean is null then true else is_active = ${isActive} end
          ${isBot === null ? sql`` : isBot ? sql`and is_bot` : sql`and case when is_bot then false else true end`}
          and case when ${pattern}::text is null then true else
            username ilike ${pattern} or display_name ilike ${pattern} or email ilike ${pattern} end
        order by username limit ${limit}
      ) page`,
  );
}

/** Messages beyond this number are estimated, as PostgreSQL's planner does. */
const COUNTED_MESSAGES = 50_000;
/** Beyond this number those of a week are estimated: the newest are taken for all of it. */
export const COUNTED_OF_WEEK = 20_000;

/**
 * Counts what the site holds with one statement.
 * @param since the least id of a message of the last week: ids sort by age
 */
export async function countSite(sql: SqlClient, since: string): Promise<SiteCounts> {
  const [row] = await sql<SiteCounts[]>`
    select
      (select count(*)::int from users where is_active and not is_bot) as active,
      (select count(*)::int from users where not is_active and not is_bot) as deactivated,
      (select count(*)::int from users where ${sql.unsafe(IS_ONLINE)} and not is_bot and is_active)
        as online,
      (select count(*)::int from users where is_bot and is_active) as bots,
      (select count(*)::int from rooms
        where kind = 'room' and not is_archived and deleted_at is null) as rooms,
      (select count(*)::int from rooms
        where kind = 'room' and is_archived and deleted_at is null) as archived,
      (select case when reltuples > ${COUNTED_MESSAGES} then reltuples::bigint
        else (select count(*) from messages) end from pg_class where oid = 'messages'::regclass)
        as messages,
      (select reltuples > ${COUNTED_MESSAGES} from pg_class where oid = 'messages'::regclass)
        as is_estimate,
      (select case when counted < ${COUNTED_OF_WEEK} then counted
          else counted * 604800 / greatest(1, extract(epoch from clock_timestamp() - (
            select created_at from messages where id = (
              select id from messages order by id desc offset ${COUNTED_OF_WEEK - 1} limit 1
            )
          ))) end
        from (select count(*) as counted from (
          select from messages where id > ${since}::uuid limit ${COUNTED_OF_WEEK}
        ) newest) week)::bigint as last_week,
      (select coalesce(sum(size_bytes), 0)::bigint from blobs) as bytes,
      (select count(*)::int from jobs where failed_at is null) as waiting,
      (select count(*)::int from jobs where failed_at is not null) as failed,
      (select count(*)::int from invites where email is not null and accepted_at is null
        and revoked_at is null and expires_at > clock_timestamp()) as invites,
      (select count(*)::int from outgoing_webhooks where disabled_reason is not null) as webhooks,
      (select count(*)::int from rooms where kind = 'direct') as directs,
      (select coalesce(sum(size_bytes), 0)::bigint from (
        select room_id, size_bytes from message_images
        union all select room_id, size_bytes from message_files
      ) upload join rooms on rooms.id = room_id where kind = 'direct') as direct_bytes,
      exists (select from smtp_settings) as sends_mail,
      (select last_success_at from schedules where name = 'backup') as last_backup_at`;
  if (!row) throw new Error("countSite: no row");
  return row;
}

type SiteCounts = Record<
  | "active"
  | "deactivated"
  | "online"
  | "bots"
  | "rooms"
  | "archived"
  | "messages"
  | "last_week"
  | "bytes"
  | "waiting"
  | "failed"
  | "invites"
  | "webhooks"
  | "directs"
  | "direct_bytes",
  number
> & { is_estimate: boolean; sends_mail: boolean; last_backup_at: Date | null };
