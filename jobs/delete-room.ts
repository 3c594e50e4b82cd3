import type { Database } from "../src/database/connect.ts";
import {
  deleteDeliveriesOfRoom,
  deleteLogOfRoom,
  deleteMessagesOfRoom,
  deleteRoomRow,
  isRoomDeleted,
} from "../src/rooms/delete.ts";

/** Rows that one statement deletes, so that no statement takes long. */
const BATCH = 1_000;

/**
 * Deletes the rows of a deleted room, which is hidden already. An attempt goes on where the one
 * before was cut off.
 */
export async function deleteRoomRows(
  { db, sql }: Database,
  roomId: string,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isRoomDeleted(db, roomId))) return;
  for (const deleteSome of [deleteMessagesOfRoom, deleteLogOfRoom, deleteDeliveriesOfRoom]) {
    while (!signal.aborted && (await deleteSome(sql, roomId, BATCH)) === BATCH);
  }
  // Uploads are deleted with it; their bytes, by the job that deletes bytes nothing refers to.
  if (!signal.aborted) await deleteRoomRow(db, roomId);
}
