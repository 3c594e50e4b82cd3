import { eq, sql } from "drizzle-orm";
import { writeAudit, type AuditActor } from "../audit/write.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Role } from "../wire/models.ts";
import { lockMembership, type RoomRow } from "./access.ts";
import { refuseFormerConversation } from "./refusals.ts";
import { requireMember } from "./members.ts";
import { addMembership, setRole } from "./membership.ts";

/**
 * Makes another member the owner; the old owner becomes an admin.
 * @throws Refusal of `lockMembership`; `member_not_found`, `unknown_user`
 */
export function transferRoom(
  db: Drizzle,
  ownerId: string,
  roomId: string,
  userId: string,
): Promise<void> {
  return db.transaction(async (tx) => {
    await lockMembership(tx, ownerId, roomId, "owner");
    const member = await requireMember(tx, roomId, userId);
    if (member.role === "owner") return;
    await getNewOwner(tx, userId);
    await setOwner(tx, roomId, ownerId, userId);
  });
}

/**
 * Makes someone the owner of a room on behalf of a site administrator, adding them if they are not in
 * the room.
 * @param room from `lockRoom`
 * @throws Refusal `unknown_user`, `was_conversation`
 */
export async function forceTransfer(
  tx: Transaction,
  actor: AuditActor,
  room: RoomRow,
  userId: string,
): Promise<void> {
  const members = await tx.execute<{ user_id: string; role: Role; username: string }>(sql`
    select m.user_id, m.role, u.username from memberships m join users u on u.id = m.user_id
    where m.room_id = ${room.id} and (m.role = 'owner' or m.user_id = ${userId})`);
  const owner = members.find(({ role }) => role === "owner");
  if (owner?.user_id === userId) return;
  const { username } = await getNewOwner(tx, userId);
  if (!members.some((member) => member.user_id === userId)) {
    refuseFormerConversation(room, "transfer");
    await addMembership(tx, room.id, userId, "member", actor.actorId);
  }
  if (owner) await setOwner(tx, room.id, owner.user_id, userId);
  const details = { from: owner?.username ?? null, to: username };
  await writeAudit(tx, actor, "room.transfer", room, details);
}

/** @throws Refusal `unknown_user` for bots and deactivated accounts, which own no rooms */
async function getNewOwner(tx: Query, userId: string): Promise<{ username: string }> {
  const [user] = await tx
    .select({ username: users.username, isActive: users.isActive, isBot: users.isBot })
    .from(users)
    .where(eq(users.id, userId));
  if (user?.isActive && !user.isBot) return user;
  const message = !user
    ? "There is no person with this id."
    : user.isBot
      ? "A bot cannot own a room. Choose a person."
      : "This account is deactivated. Choose someone else.";
  throw new Refusal("unknown_user", message, { errors: [{ path: "/user_id", message }] });
}

/** Demotes the old owner first, because a unique index allows one owner at a time. */
async function setOwner(
  tx: Transaction,
  roomId: string,
  oldId: string,
  newId: string,
): Promise<void> {
  await setRole(tx, roomId, oldId, "admin");
  await setRole(tx, roomId, newId, "owner");
  await appendEvent(tx, roomId, { type: "room_updated" });
}
