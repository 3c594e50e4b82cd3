import { and, eq } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { sessions, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { sessionOf } from "./sessions.ts";
import type { UserRow } from "./users.ts";

/**
 * Every change to who may sign in to an account locks the account's row first: a new password, a
 * new session, a reset link, a deactivation. So each of them sees what the one before has committed.
 */

/**
 * Locks an account's row until the transaction ends, so that what is read here still holds there.
 * @throws Refusal `not_found`
 */
export async function lockUser(
  tx: Transaction,
  who: { id: string } | { username: string },
): Promise<UserRow> {
  const [which, name] =
    "id" in who
      ? [eq(users.id, who.id), "with this id"]
      : [eq(users.username, who.username.toLowerCase()), who.username];
  const [row] = await tx.select().from(users).where(which).for("no key update");
  if (!row) throw new Refusal("not_found", `There is no user ${name}.`);
  return row;
}

/**
 * Locks the account whose password was just checked. Hashing takes so long that a reset or a
 * deactivation can commit meanwhile, and the old password must not outlive it.
 * @param checkedHash the hash that the password was checked against
 * @returns null if the account is deactivated or has another password by now
 */
export async function lockVerifiedUser(
  tx: Transaction,
  userId: string,
  checkedHash: string,
): Promise<UserRow | null> {
  const user = await lockUser(tx, { id: userId });
  return user.isActive && user.passwordHash === checkedHash ? user : null;
}

/**
 * Locks the session that a request came with, so that it cannot end before the change commits.
 * @throws Refusal `unauthenticated` if it has ended since the request began
 */
export async function lockSession(tx: Transaction, actor: Actor): Promise<void> {
  const [row] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionOf(actor)), eq(sessions.userId, actor.id)))
    .for("share");
  if (!row) throw new Refusal("unauthenticated", "Your session has ended. Sign in and try again.");
}
