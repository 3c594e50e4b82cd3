import { asc, inArray, type SQL, sql } from "drizzle-orm";
import type { Database, Transaction } from "../../database/connect.ts";
import { memberships, rooms, users } from "../../database/schema.ts";
import { notifyInstances } from "../../feed/signals.ts";
import { Refusal } from "../../platform/refusal.ts";
import { countAttempt } from "../../rate-limits/rate-limits.ts";
import type { Actor } from "../../routing/actor.ts";
import { MAX_BOT_DIRECTS_PER_HOUR, MAX_DIRECT_MEMBERS } from "../../wire/limits.ts";
import type { Direct } from "../../wire/models.ts";
import { findDirect, makeDirectKey } from "./read.ts";

/**
 * Opens the caller's conversation with these people. There is one conversation for each set of
 * people; the first call creates it. The caller's own id and repeated ids count once.
 * @throws Refusal `too_many`; `user_not_found` for a new one with someone who does not exist,
 * cannot be seen or is deactivated; for bots `not_for_bots`, `rate_limited`
 */
export async function openDirect(
  database: Database,
  actor: Actor,
  userIds: string[],
): Promise<{ direct: Direct; isNew: boolean }> {
  const memberIds = [...new Set([actor.id, ...userIds])];
  if (actor.token && memberIds.length !== 2) {
    throw new Refusal("not_for_bots", "A bot can only have conversations with one person.");
  }
  refuseTooMany(memberIds.length);
  const key = makeDirectKey(memberIds);
  const existing = await findDirect(database.sql, actor.id, key);
  if (existing) return { direct: existing, isNew: false };
  const isNew = await database.db.transaction((tx) => createDirect(tx, actor, memberIds, key));
  const direct = await findDirect(database.sql, actor.id, key);
  // The key of a group changes with its members.
  if (!direct) throw new Refusal("unavailable", "The conversation is changing. Try again.");
  return { direct, isNew };
}

/** @returns false if a concurrent transaction created the conversation */
async function createDirect(
  tx: Transaction,
  actor: Actor,
  memberIds: string[],
  key: Buffer,
): Promise<boolean> {
  await checkPartners(tx, actor, memberIds);
  const id = Bun.randomUUIDv7();
  const count = memberIds.length;
  const newRooms = await tx
    .insert(rooms)
    .values({
      id,
      kind: "direct",
      privacy: "private",
      directKey: key,
      memberCount: count,
      directKind: count === 1 ? "self" : count === 2 ? "pair" : "group",
    })
    .onConflictDoNothing({ target: rooms.directKey })
    .returning({ id: rooms.id });
  if (newRooms.length === 0) return false;
  if (actor.token) {
    const max = MAX_BOT_DIRECTS_PER_HOUR;
    await countAttempt(tx, [{ key: `direct:${actor.id}`, max, minutes: 60 }]);
  }
  await tx
    .insert(memberships)
    .values(
      memberIds.map((userId) => ({ roomId: id, userId, role: "member" as const, isDirect: true })),
    );
  await notifyInstances(tx, { kind: "direct_added", room_id: id, user_ids: memberIds });
  return true;
}

/**
 * Locks the users, so that none is deactivated before the commit, and checks that the caller may write to
 * them: a person to every active person and to bots in a common room, a bot to people in a common room.
 * @throws Refusal `user_not_found`, whatever the reason
 */
export async function checkPartners(
  tx: Transaction,
  actor: Actor,
  userIds: string[],
): Promise<{ hasBot: boolean }> {
  const partners = await tx
    .select({
      id: users.id,
      isActive: users.isActive,
      isBot: users.isBot,
      sharesRoom: sharesRoomWith(actor.id),
    })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(asc(users.id))
    .for("share");
  const isBot = actor.token !== null;
  const reachable = partners.filter((user) => {
    if (user.id === actor.id) return true;
    return user.isActive && (isBot || user.isBot ? isBot !== user.isBot && user.sharesRoom : true);
  });
  if (reachable.length < userIds.length) {
    throw new Refusal("user_not_found", "There is no such person, or you cannot write to them.");
  }
  return { hasBot: reachable.some((user) => user.isBot) };
}

/** Whether the user of a row of `users` shares a room, not only a conversation, with another user. */
function sharesRoomWith(userId: string): SQL<boolean> {
  return sql<boolean>`exists (
    select from memberships theirs
    join memberships mine on mine.room_id = theirs.room_id and mine.user_id = ${userId}
    where theirs.user_id = ${users.id} and not theirs.is_direct)`;
}

/** @throws Refusal `too_many` */
export function refuseTooMany(count: number): void {
  if (count <= MAX_DIRECT_MEMBERS) return;
  const detail = `A conversation has at most ${MAX_DIRECT_MEMBERS} people. Create a room for more.`;
  throw new Refusal("too_many", detail);
}
