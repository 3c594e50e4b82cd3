import type { Database, SqlClient } from "../database/connect.ts";
import { readMailFailure } from "../email/settings.ts";
import { smallestIdAt } from "../platform/ids.ts";
import { VERSION } from "../wire/version.ts";
import { IS_ONLINE } from "../presence/read.ts";
import type { Overview } from "../wire/admin.ts";

const WEEK_MS = 7 * 86_400_000;

export async function readOverview({ sql, db }: Database): Promise<Overview> {
  const site = await countSite(sql, smallestIdAt(Date.now() - WEEK_MS));
  const failure = await readMailFailure(db);
  const { active, online, deactivated, bots, waiting, failed } = site;
  return {
    version: VERSION,
    people: { active, online, deactivated, bots },
    rooms: { active: site.rooms, archived: site.archived },
    messages: {
      count: site.messages,
      is_estimate: site.is_estimate,
      last_week: site.last_week,
      is_last_week_estimate: site.last_week >= COUNTED_OF_WEEK,
    },
    storage: { bytes: site.bytes },
    jobs: { waiting, failed },
    invites: { pending: site.invites },
    webhooks: { disabled: site.webhooks },
    sends_mail: site.sends_mail,
    ...(failure && { mail_failure: failure }),
    last_backup_at: site.last_backup_at?.toISOString() ?? null,
    directs: { count: site.directs, bytes: site.direct_bytes },
  };
}

/** Above this number PostgreSQL's estimate replaces the count of messages. */
const COUNTED_MESSAGES = 50_000;
/** Above this number the messages of a week are estimated from the rate of the newest ones. */
const COUNTED_OF_WEEK = 10_000;

/** @param since the smallest id of a message of the last week: ids sort by age */
async function countSite(sql: SqlClient, since: string): Promise<SiteCounts> {
  const [row] = await sql<SiteCounts[]>`
    select
      people.*, places.*,
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
      (select coalesce(sum(size_bytes), 0)::bigint from (
        select room_id, size_bytes from message_images
        union all select room_id, size_bytes from message_files
      ) upload join rooms on rooms.id = room_id where kind = 'direct') as direct_bytes,
      exists (select from smtp_settings) as sends_mail,
      (select last_success_at from schedules where name = 'backup') as last_backup_at
    from (
      select count(*) filter (where is_active and not is_bot)::int as active,
        count(*) filter (where not is_active and not is_bot)::int as deactivated,
        count(*) filter (where ${sql.unsafe(IS_ONLINE)} and not is_bot and is_active)::int as online,
        count(*) filter (where is_bot and is_active)::int as bots
      from users
    ) people, (
      select count(*) filter (where kind = 'room' and not is_archived and deleted_at is null)::int as rooms,
        count(*) filter (where kind = 'room' and is_archived and deleted_at is null)::int as archived,
        count(*) filter (where kind = 'direct')::int as directs
      from rooms
    ) places`;
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
