import type { SqlClient } from "../database/connect.ts";
import { type MessageRow, messageColumns } from "./read.ts";

/** A room's messages before a number of its log, the oldest first, and whether there are more. */
export async function readOlder(sql: SqlClient, roomId: string, seq: number, limit: number) {
  const rows = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m join users u on u.id = m.author_id
    where m.room_id = ${roomId} and m.seq < ${seq} order by m.seq desc limit ${limit + 1}`;
  return { rows: rows.slice(0, limit).reverse(), more: rows.length > limit };
}
