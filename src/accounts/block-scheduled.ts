/** Hand-written SQL: many rows that change at once, with their signals and notifications. */
import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { SIGNAL_CHANNEL } from "../feed/channels.ts";
import { insertJobsText } from "../jobs-queue/statements.ts";
import type { Code } from "../wire/codes.ts";

/** Why scheduled messages are blocked: also the reason that their author reads. */
export type BlockReason = Extract<Code, "deactivated" | "session_ended" | "invalid_token">;

/** Which of their authors' scheduled messages are blocked. */
type Blocked = {
  /** Only those that were scheduled with these sessions. */
  sessionIds?: string[];
  /** All but those that were scheduled with this session. */
  exceptSessionId?: string;
  /** Only those that were scheduled with this token. */
  tokenId?: string;
};

/**
 * Blocks scheduled messages whose credential or account has ended, and notifies their authors. They
 * stay in the authors' lists, from where they can be sent. Unlike the text of a message that is
 * refused when it is sent, theirs does not become a draft: somebody else may have written it.
 */
export async function blockScheduled(
  tx: Transaction,
  userIds: string[],
  reason: BlockReason,
  blocked: Blocked = {},
): Promise<void> {
  const queued = insertJobsText(
    "push_self",
    `select gen_random_uuid(), jsonb_build_object('userId', user_id, 'type', 'scheduled_failed', 'id', id)
      from changed where not is_bot`,
  );
  const channel = sql.raw(`'${SIGNAL_CHANNEL}'`);
  await tx.execute(sql`
    with blocked as materialized (
      select id from scheduled_messages s
      where state = 'waiting' and user_id = any(${sql.param(userIds)}::uuid[]) ${conditionOf(blocked)}
      -- In the order in which the job that sends them locks them.
      order by send_at, id for update
    ), changed as (
      update scheduled_messages s set state = 'failed', reason = ${reason}, sending_at = null,
        ended_at = clock_timestamp()
      from blocked, users u where s.id = blocked.id and u.id = s.user_id
      returning s.id, s.user_id, u.is_bot
    ), queued as (${sql.raw(queued)}), owners as (
      select user_id, json_agg(id) as ids from changed group by user_id
    )
    select pg_notify(${channel}, json_build_object(
      'kind', 'scheduled_changed', 'user_id', user_id, 'ids', ids)::text) from owners
    union all select pg_notify(${channel}, json_build_object('kind', 'scheduled_failed',
      'user_id', user_id, 'id', id, 'code', ${reason}::text)::text) from changed
    union all select * from queued`);
}

function conditionOf({ sessionIds, exceptSessionId, tokenId }: Blocked): SQL {
  if (sessionIds) return sql`and s.session_id = any(${sql.param(sessionIds)}::uuid[])`;
  // Also those of sessions that had ended before, which nobody can name any more.
  if (exceptSessionId) return sql`and s.session_id is distinct from ${exceptSessionId}::uuid`;
  return tokenId ? sql`and s.token_id = ${tokenId}::uuid` : sql``;
}
