import { and, eq, isNotNull } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { rooms } from "../database/schema.ts";

/** Whether the room was deleted and its row is still there. */
export async function isRoomDeleted(db: Query, roomId: string): Promise<boolean> {
  const found = await db
    .select({ id: rooms.id })
    .from(rooms)
    .where(and(eq(rooms.id, roomId), isNotNull(rooms.deletedAt)));
  return found.length > 0;
}

/** Deletes a room's row, and all rows that belong to it. */
export async function deleteRoomRow(db: Query, roomId: string): Promise<void> {
  await db.delete(rooms).where(eq(rooms.id, roomId));
}
