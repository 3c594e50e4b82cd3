import type { SqlClient } from "../../database/connect.ts";
import { SMALLEST_ID } from "../../platform/ids.ts";

/** A conversation without a message for this long is silent. */
const SILENT_DAYS = 30;
/** Conversations per statement. It locks them, so a message in one of them waits for it. */
const BATCH = 100;

/** SQL, boolean: whether a conversation is silent, from columns of `rooms`. */
export const HAS_BEEN_SILENT = `coalesce(last_message_at, created_at)
  < statement_timestamp() - interval '${SILENT_DAYS} days'`;

/**
 * Notes in `memberships.is_silent` which conversations are silent, so that what is read of someone's recent
 * conversations does not read hundreds of old ones. A message ends the silence in its own transaction
 * (`messages/insert.ts`). A version before the column does not: its conversations are found by the next run.
 */
export async function noteSilence(sql: SqlClient, signal: AbortSignal): Promise<void> {
  let after: string | undefined = SMALLEST_ID;
  while (after !== undefined && !signal.aborted) {
    const rows: { id: string }[] = await sql`
      with changed as materialized (
        select id, ${sql.unsafe(HAS_BEEN_SILENT)} as is_silent from rooms
        where direct_kind <> 'self' and id > ${after} and exists (
          select from memberships
          where room_id = rooms.id and is_silent <> (${sql.unsafe(HAS_BEEN_SILENT)})
        )
        -- Skips those in which a message is being posted: it ends the silence itself.
        order by id limit ${BATCH} for no key update skip locked
      ), member as materialized (
        select m.room_id, m.user_id, changed.is_silent
        from changed join memberships m on m.room_id = changed.id
        -- In the order in which read marks are moved, so that the two cannot deadlock.
        order by m.room_id, m.user_id for no key update of m
      ), updated as (
        update memberships m set is_silent = member.is_silent
        from member where m.room_id = member.room_id and m.user_id = member.user_id
      )
      select id from changed order by id`;
    after = rows.length === BATCH ? rows.at(-1)?.id : undefined;
  }
}
