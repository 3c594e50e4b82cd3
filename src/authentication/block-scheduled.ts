import { sql, type SQL } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { SIGNAL_CHANNEL } from "../feed/channels.ts";
import { insertJobsText } from "../jobs-queue/enqueue.ts";
import type { Code } from "../wire/codes.ts";

/** Why scheduled messages are blocked; the author sees its text. */
type BlockReason = Extract<Code, "deactivated" | "session_ended" | "invalid_token">;

type ScheduledFilter = {
  sessionIds?: string[];
  /** All messages but those that were scheduled with this session. */
  exceptSessionId?: string;
  /** Only messages that were scheduled with this token. */
  tokenId?: string;
};

/**
 * Blocks scheduled messages whose credential or account has ended, and notifies their authors, who can
 * still send them from their list. Unlike a message that is refused when it is sent, a blocked one does
 * not become a draft: someone else with the credential may have written it.
 */
export async function blockScheduledMessages(
  tx: Transaction,
  userIds: string[],
  reason: BlockReason,
  filter: ScheduledFilter = {},
): Promise<void> {
  const insertPushJobs = insertJobsText(
    "push_self",
    `select gen_random_uuid(), jsonb_build_object('userId', user_id, 'type', 'scheduled_failed', 'id', id)
      from changed where not is_bot`,
  );
  const channel = sql.raw(`'${SIGNAL_CHANNEL}'`);
  await tx.execute(sql`
    with blocked as materialized (
      select id from scheduled_messages s
      where state = 'waiting' and user_id = any(${sql.param(userIds)}::uuid[]) ${conditionOf(filter)}
      -- The order in which the job that sends them locks them.
      order by send_at, id for update
    ), changed as (
      update scheduled_messages s set state = 'failed', reason = ${reason}, sending_at = null,
        ended_at = clock_timestamp()
      from blocked, users u where s.id = blocked.id and u.id = s.user_id
      returning s.id, s.user_id, u.is_bot
    ), queued as (${sql.raw(insertPushJobs)}), owners as (
      select user_id, json_agg(id) as ids from changed group by user_id
    )
    select pg_notify(${channel}, json_build_object(
      'kind', 'scheduled_changed', 'user_id', user_id, 'ids', ids)::text) from owners
    union all select pg_notify(${channel}, json_build_object('kind', 'scheduled_failed',
      'user_id', user_id, 'id', id, 'code', ${reason}::text)::text) from changed
    union all select * from queued`);
}

function conditionOf({ sessionIds, exceptSessionId, tokenId }: ScheduledFilter): SQL {
  if (sessionIds) return sql`and s.session_id = any(${sql.param(sessionIds)}::uuid[])`;
  // Includes messages of sessions that ended earlier, whose ids are gone.
  if (exceptSessionId) return sql`and s.session_id is distinct from ${exceptSessionId}::uuid`;
  return tokenId ? sql`and s.token_id = ${tokenId}::uuid` : sql``;
}
