/** Hand-written SQL: a lateral read of each room's newest pin, and a page by two keys. */
import type { SqlClient } from "../database/connect.ts";
import { type PinColumns, pinColumns } from "../rooms/newest-pin.ts";

/** What lists show of these rooms' pins. */
export function readRoomPins(sql: SqlClient, roomIds: string[]) {
  return sql<(PinColumns & { id: string })[]>`
    select r.id, ${sql.unsafe(pinColumns("r"))} from rooms r where r.id = any(${roomIds}::uuid[])`;
}

/** A message of the list of a room's pins. */
type PinHead = { message_id: string; pinned_at: Date };

/** A room's pins, the newest first, after one of them. */
export function readPinHeads(
  sql: SqlClient,
  roomId: string,
  after: { at: Date; id: string } | null,
  limit: number,
) {
  const [at, id] = [after?.at ?? null, after?.id ?? null];
  return sql<PinHead[]>`
    select message_id, pinned_at from message_pins
    where room_id = ${roomId}
      and (${at}::timestamptz is null or (pinned_at, message_id) < (${at}::timestamptz, ${id}::uuid))
    order by pinned_at desc, message_id desc limit ${limit}`;
}
