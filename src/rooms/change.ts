import { and, eq, isNull } from "drizzle-orm";
import { writeAudit, type AuditActor } from "../audit/write.ts";
import type { Drizzle, Transaction } from "../database/connect.ts";
import { rooms } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { cleanDescription } from "../platform/input/names.ts";
import { Refusal } from "../platform/refusal.ts";
import { MAX_ROOM_DESCRIPTION_LENGTH } from "../wire/limits.ts";
import type { CreateRoom, UpdateRoom } from "../wire/requests.ts";
import { lockMembership, type RoomRow } from "./access.ts";
import { refuseFormerConversation } from "./refusals.ts";
import { addMembership, refuseDuplicateName } from "./membership.ts";

/**
 * Creates a room that the caller owns.
 * @returns its id
 * @throws Refusal `room_name_taken`
 */
export async function createRoom(
  db: Drizzle,
  ownerId: string,
  params: CreateRoom,
): Promise<string> {
  const id = Bun.randomUUIDv7();
  await db
    .transaction(async (tx) => {
      await tx.insert(rooms).values({
        id,
        name: params.name,
        privacy: params.privacy,
        description: parseDescription(params.description),
      });
      await addMembership(tx, id, ownerId, "owner", ownerId);
    })
    .catch((error) => refuseDuplicateName(error, params.name));
  return id;
}

/**
 * Changes the fields that are present.
 * @throws Refusal of `lockMembership`; `room_name_taken`, `was_conversation`
 */
export async function updateRoom(db: Drizzle, userId: string, roomId: string, params: UpdateRoom) {
  const values: Partial<RoomRow> = { ...params };
  if (params.description !== undefined) values.description = parseDescription(params.description);
  await db
    .transaction(async (tx) => {
      const { room } = await lockMembership(tx, userId, roomId, "admin");
      if (values.privacy === "open") refuseFormerConversation(room, "open");
      if (Object.keys(values).length > 0) await changeRoom(tx, roomId, values);
    })
    .catch((error) => refuseDuplicateName(error, params.name ?? ""));
}

/** Changes fields of a room whose lock the caller holds, and announces it. */
async function changeRoom(tx: Transaction, roomId: string, values: Partial<RoomRow>) {
  await tx.update(rooms).set(values).where(eq(rooms.id, roomId));
  await appendEvent(tx, roomId, { type: "room_updated" });
}

/**
 * Locks and reads a room for an administrator or operator, who need not be a member.
 * @throws Refusal `room_not_found`
 */
export async function lockRoom(
  tx: Transaction,
  key: { id: string } | { name: string },
): Promise<RoomRow> {
  const [is, name] =
    "id" in key
      ? [eq(rooms.id, key.id), "with this id"]
      : [eq(rooms.name, key.name), `named ${key.name}`];
  const [room] = await tx
    .select()
    .from(rooms)
    .where(and(is, eq(rooms.kind, "room"), isNull(rooms.deletedAt)))
    .for("no key update");
  if (!room) throw new Refusal("room_not_found", `There is no room ${name}.`);
  return room;
}

/**
 * Archives or unarchives a room and audits it, unless it is in that state already.
 * @param room from `lockRoom`
 */
export async function setArchived(
  tx: Transaction,
  actor: AuditActor,
  room: RoomRow,
  isArchived: boolean,
): Promise<RoomRow> {
  if (room.isArchived === isArchived) return room;
  await changeRoom(tx, room.id, { isArchived });
  const action = isArchived ? "room.archive" : "room.unarchive";
  await writeAudit(tx, actor, action, room);
  return { ...room, isArchived };
}

/**
 * Chooses whether new accounts join a room.
 * @param room from `lockRoom`
 * @throws Refusal `was_conversation`
 */
export async function setDefaultRoom(
  tx: Transaction,
  actor: AuditActor,
  room: RoomRow,
  isDefault: boolean,
): Promise<void> {
  if (isDefault) refuseFormerConversation(room, "default");
  if (room.isDefault === isDefault) return;
  await changeRoom(tx, room.id, { isDefault });
  await writeAudit(tx, actor, "room.update", room, { is_default: isDefault });
}

/**
 * Trims a room's description; null for blank text.
 * @throws Refusal `validation` as `cleanDescription`
 */
export function parseDescription(text: string | null | undefined): string | null {
  return cleanDescription(text ?? "", "/description", MAX_ROOM_DESCRIPTION_LENGTH);
}
