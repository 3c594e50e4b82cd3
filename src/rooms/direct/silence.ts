import type { SqlClient } from "../../database/connect.ts";
import { SMALLEST_ID } from "../../platform/ids.ts";

/** A conversation without a message for this long is silent. */
const SILENT_DAYS = 30;
/** Rooms per statement. It locks the conversations that change, so a message in one of them waits for it. */
const BATCH = 500;

/** SQL, boolean: whether a conversation is silent, from columns of `rooms`. */
export const HAS_BEEN_SILENT = `coalesce(last_message_at, created_at)
  < statement_timestamp() - interval '${SILENT_DAYS} days'`;

/**
 * Notes in `memberships.is_silent` which conversations are silent, so that what is read of someone's recent
 * conversations does not read hundreds of old ones. A message ends the silence in its own transaction
 * (`messages/insert.ts`). A version before the column does not: its conversations are found by the next run.
 */
export async function noteSilence(sql: SqlClient, signal: AbortSignal): Promise<void> {
  for (let after: string | null = SMALLEST_ID; after !== null && !signal.aborted;) {
    const [row]: { last: string | null }[] = await sql`
      with page as materialized (
        select id, direct_kind, ${sql.unsafe(HAS_BEEN_SILENT)} as is_silent from rooms
        where id > ${after} order by id limit ${BATCH}
      ), changed as materialized (
        select id, ${sql.unsafe(HAS_BEEN_SILENT)} as is_silent from rooms
        where id = any(array(
          -- The limit makes the plan use the index of memberships, however many there are.
          select id from page where direct_kind <> 'self' and (
            select true from memberships
            where room_id = page.id and is_silent <> page.is_silent limit 1
          )
        ))
        -- Skips those in which a message is being posted: it ends the silence itself.
        order by id for no key update skip locked
      ), member as materialized (
        select m.room_id, m.user_id, changed.is_silent
        from changed join memberships m on m.room_id = changed.id
        -- In the order in which read marks are moved, so that the two cannot deadlock.
        order by m.room_id, m.user_id for no key update of m
      ), updated as (
        update memberships m set is_silent = member.is_silent
        from member where m.room_id = member.room_id and m.user_id = member.user_id
      )
      select (select id from page order by id desc limit 1) as last`;
    after = row?.last ?? null;
  }
}
