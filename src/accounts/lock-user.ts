import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { apiTokens, sessions, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { makeEndedCredential } from "./credentials.ts";
import { sessionIdOf } from "./sessions.ts";
import { matchesUser, makeUnknownUser, type UserKey, type UserRow } from "./users.ts";

/**
 * Locks an account's row. Every change to who may sign in does so first (a new password, a session, a
 * reset link, a deactivation), so that each sees what the one before it committed.
 * @throws Refusal `not_found`
 */
export async function lockUser(tx: Transaction, key: UserKey): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(matchesUser(key)).for("no key update");
  if (!row) throw makeUnknownUser(key);
  return row;
}

/**
 * Locks an administrator's row and that of an account, and checks the administrator again: the role or
 * the session may have ended since the request began. Rows are locked in the order of ids, so that two
 * administrators who change each other do not wait for each other.
 * @param id the account that is changed, or the administrator's own
 * @throws Refusal `not_found`, `unauthenticated`, `not_site_admin`
 */
export async function lockAdministrator(
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<UserRow> {
  const rows = await tx
    .select()
    .from(users)
    .where(inArray(users.id, [actor.id, id]))
    .orderBy(asc(users.id))
    .for("no key update");
  await lockSession(tx, actor);
  const administrator = rows.find((row) => row.id === actor.id);
  if (!administrator?.isActive) throw ended();
  if (!administrator.isSiteAdmin) {
    throw new Refusal("not_site_admin", "Only site administrators may do this.");
  }
  const user = rows.find((row) => row.id === id);
  if (!user) throw makeUnknownUser({ id });
  return user;
}

/**
 * Locks the account whose password was just verified. Hashing takes long enough for a reset or a
 * deactivation to commit meanwhile, and the old password must not outlive that.
 * @param checkedHash the hash that the password was verified against
 * @returns null if the account is deactivated or has another password now
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
 * Locks the caller's session, so that it cannot end before the change commits.
 * @throws Refusal `unauthenticated` if it has ended since the request began
 */
export async function lockSession(tx: Transaction, actor: Actor): Promise<void> {
  const [row] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionIdOf(actor)), eq(sessions.userId, actor.id)))
    .for("share");
  if (!row) throw ended();
}

/**
 * Locks the session or token with which the caller schedules something, so that it cannot end before the
 * change commits: ending it then finds what was scheduled with it.
 * @throws Refusal `unauthenticated`, `invalid_token` if it has ended since the request began
 */
export async function lockCredential(
  tx: Transaction,
  actor: Actor,
): Promise<{ sessionId: string | null; tokenId: string | null }> {
  const { sessionId, token } = actor;
  if (token === null) {
    await lockSession(tx, actor);
    return { sessionId, tokenId: null };
  }
  const [row] = await tx
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(and(eq(apiTokens.id, token.id), isNull(apiTokens.revokedAt)))
    // A key share lock would let the token be revoked.
    .for("share");
  if (!row) throw makeEndedCredential(true);
  return { sessionId: null, tokenId: token.id };
}

function ended(): Refusal {
  return new Refusal("unauthenticated", "Your session has ended. Sign in and try again.");
}
