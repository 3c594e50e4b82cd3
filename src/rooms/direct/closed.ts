import { sql } from "drizzle-orm";
import type { Transaction } from "../../database/connect.ts";
import { notifyInstances } from "../../feed/signals.ts";

/**
 * Closes a user's conversations with one other person while either of them is deactivated, opens
 * the others, and notifies both. Call it after the user's row has changed. Raises the versions of
 * the memberships, so that a client knows which of two responses about a conversation is newer.
 */
export async function updateClosedConversations(tx: Transaction, userId: string): Promise<void> {
  const conversations = await tx.execute<{ id: string }>(sql`
    select r.id from rooms r join memberships m on m.room_id = r.id
    where m.user_id = ${userId} and m.is_direct and r.direct_kind = 'pair'
    order by r.id for no key update of r`);
  if (conversations.length === 0) return;
  const ids = conversations.map(({ id }) => id);
  // A separate statement sees what was committed while the first one waited for the locks.
  const changes = await tx.execute<{ room_id: string; user_ids: string[] }>(sql`
    with updated as (
      update rooms set is_closed = exists (
        select from memberships m join users u on u.id = m.user_id
        where m.room_id = rooms.id and not u.is_active
      ) where id = any(${sql.param(ids)}::uuid[])
    ), counted as (
      update memberships m set hidden_at = m.hidden_at where m.room_id = any(${sql.param(ids)}::uuid[])
      returning m.room_id, m.user_id
    )
    select room_id, array_agg(user_id::text) as user_ids from counted group by room_id`);
  await notifyInstances(
    tx,
    ...[...changes].map((row) => ({ kind: "direct_updated" as const, ...row })),
  );
}
