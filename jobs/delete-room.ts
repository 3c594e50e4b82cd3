import type { Database } from "../src/database/connect.ts";
import {
  deleteDeliveriesOfRoom,
  deleteLogOfRoom,
  deleteMessagesOfRoom,
  deleteRoomRow,
  isRoomDeleted,
} from "../src/rooms/delete.ts";

/** Rows deleted per statement, to keep statements short. */
const BATCH = 1_000;

/**
 * Deletes the rows of a deleted room, which is already hidden. An attempt continues where the previous
 * one was aborted.
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
  // This deletes the rows of uploads; a separate job deletes unreferenced blobs.
  if (!signal.aborted) await deleteRoomRow(db, roomId);
}
