import type { SqlClient } from "../../database/connect.ts";
import { SMALLEST_ID } from "../../platform/ids.ts";

/** A conversation without a message for this long is silent. */
const SILENT_DAYS = 30;
/** Conversations per statement, which locks them. */
const BATCH = 1_000;

/** SQL, boolean: whether a conversation is silent, from columns of `rooms`. */
export const HAS_BEEN_SILENT = `coalesce(last_message_at, created_at)
  < statement_timestamp() - interval '${SILENT_DAYS} days'`;

/**
 * Notes in the memberships which conversations are silent, so that what is read of someone's recent conversations does
 * not read hundreds of old ones. A message ends the silence in its own transaction (`messages/insert.ts`), except one
 * that a version before this column has written: this finds it.
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
        -- A message that is being posted would end a silence that it does not see yet.
        order by id limit ${BATCH} for no key update skip locked
      ), noted as (
        update memberships m set is_silent = changed.is_silent
        from changed where m.room_id = changed.id
      )
      select id from changed order by id`;
    after = rows.length === BATCH ? rows.at(-1)?.id : undefined;
  }
}
