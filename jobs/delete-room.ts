import type { SqlClient } from "../src/database/connect.ts";
import type { Handling } from "../src/jobs-queue/kinds.ts";

const ROWS_AT_ONCE = 1_000;

/**
 * Removes the rows of a room that was deleted, some at a time, so that no statement lasts long and a
 * try may go on where one was cut off. Nobody finds the room any more.
 */
export function deleteRoomRows(sql: SqlClient): Handling<"delete_room"> {
  return {
    timeoutSeconds: 3_600,
    async run({ roomId }, { signal }) {
      const [room] = await sql`
        select from rooms where id = ${roomId} and deleted_at is not null`;
      if (!room) return;
      const removals = [removeMessages, removeLog, removeDeliveries];
      for (const remove of removals) {
        while (!signal.aborted && (await remove(sql, roomId)) === ROWS_AT_ONCE);
      }
      // Uploads go with it; their bytes, with the job that frees what nothing names.
      if (!signal.aborted) await sql`delete from rooms where id = ${roomId}`;
    },
  };
}

async function removeMessages(sql: SqlClient, roomId: string): Promise<number> {
  const { count } = await sql`
    delete from messages where id = any(array(
      select id from messages where room_id = ${roomId} order by seq limit ${ROWS_AT_ONCE}))`;
  return count;
}

async function removeLog(sql: SqlClient, roomId: string): Promise<number> {
  const { count } = await sql`
    delete from room_log where room_id = ${roomId} and seq = any(array(
      select seq from room_log where room_id = ${roomId} order by seq limit ${ROWS_AT_ONCE}))`;
  return count;
}

async function removeDeliveries(sql: SqlClient, roomId: string): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries where id = any(array(
      select d.id from outgoing_webhooks h join webhook_deliveries d on d.hook_id = h.id
      where h.room_id = ${roomId} limit ${ROWS_AT_ONCE}))`;
  return count;
}
