import { audit } from "../audit/audit.ts";
import type { Drizzle } from "../database/connect.ts";
import { changeRoom, lockRoom, setArchived } from "../rooms/change.ts";
import { forceTransfer } from "../rooms/ownership.ts";
import { getAdminRoom } from "../rooms/read.ts";
import type { AdminRoom } from "../wire/admin.ts";
import type { By } from "./by.ts";

/** @throws Refusal `room_not_found` */
export function archiveRoom(
  db: Drizzle,
  by: By,
  id: string,
  isArchived: boolean,
): Promise<AdminRoom> {
  return db.transaction(async (tx) => {
    await setArchived(tx, by, await lockRoom(tx, { id }), isArchived);
    return getAdminRoom(tx, id);
  });
}

/**
 * Makes someone the owner, who need not have been a member.
 * @throws Refusal `room_not_found`, `unknown_user`
 */
export function takeOver(db: Drizzle, by: By, id: string, userId: string): Promise<AdminRoom> {
  return db.transaction(async (tx) => {
    await forceTransfer(tx, by, await lockRoom(tx, { id }), userId);
    return getAdminRoom(tx, id);
  });
}

/**
 * Sets whether everyone who signs up is in it from the start.
 * @throws Refusal `room_not_found`
 */
export function setDefault(
  db: Drizzle,
  by: By,
  id: string,
  isDefault: boolean,
): Promise<AdminRoom> {
  return db.transaction(async (tx) => {
    const room = await lockRoom(tx, { id });
    if (room.isDefault !== isDefault) {
      await changeRoom(tx, id, { isDefault });
      const target = { targetType: "room", targetId: id, targetName: room.name };
      const details = { is_default: isDefault };
      await audit(tx, { ...by, action: "room.update", ...target, details });
    }
    return getAdminRoom(tx, id);
  });
}
