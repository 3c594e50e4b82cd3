import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Transaction } from "../database/connect.ts";
import { changeRoom, lockRoom, setArchived } from "../rooms/change.ts";
import { forceTransfer } from "../rooms/ownership.ts";
import { requireAdminRoom } from "../rooms/read.ts";
import type { Room } from "../wire/models.ts";

/** @throws Refusal `room_not_found` */
export async function setRoomArchived(
  tx: Transaction,
  actor: AuditActor,
  id: string,
  isArchived: boolean,
): Promise<Room> {
  await setArchived(tx, actor, await lockRoom(tx, { id }), isArchived);
  return requireAdminRoom(tx, id);
}

/**
 * Makes a user the owner, who is added to the room if necessary.
 * @throws Refusal `room_not_found`, `unknown_user`
 */
export async function transferRoom(
  tx: Transaction,
  actor: AuditActor,
  id: string,
  userId: string,
): Promise<Room> {
  await forceTransfer(tx, actor, await lockRoom(tx, { id }), userId);
  return requireAdminRoom(tx, id);
}

/**
 * Sets whether new accounts join the room at signup.
 * @throws Refusal `room_not_found`
 */
export async function setDefaultRoom(
  tx: Transaction,
  actor: AuditActor,
  id: string,
  isDefault: boolean,
): Promise<Room> {
  const room = await lockRoom(tx, { id });
  if (room.isDefault !== isDefault) {
    await changeRoom(tx, id, { isDefault });
    await writeAudit(tx, actor, "room.update", room, { is_default: isDefault });
  }
  return requireAdminRoom(tx, id);
}
