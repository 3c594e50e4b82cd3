import { and, eq, sql } from "drizzle-orm";
import { type AuditActor, type AuditTarget, writeAudit } from "../audit/write.ts";
import { blockScheduledMessages } from "../authentication/block-scheduled.ts";
import { endSessions } from "../authentication/sessions.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { updateClosedConversations } from "../rooms/direct/closed.ts";
import { clearFailures } from "../sign-in/limits.ts";
import { checkEmergencyAccount } from "../sign-in/lockout.ts";
import { deleteResetLinks, savePasswordHash } from "../sign-in/new-password.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import { removeSecondFactor } from "../sign-in/second-factor.ts";
import { queueSecurityMail } from "../sign-in/security-mail.ts";
import { requireUser, updateUser, type UserKey, type UserRow } from "../users/users.ts";

/**
 * Changes of accounts by administrators and operators, in the caller's transaction. Each writes to the
 * audit log if it changes something.
 */

/** @param user as `lockUser` returned it */
export type AccountChange = (tx: Transaction, actor: AuditActor, user: UserRow) => Promise<UserRow>;

/** Serializes changes that remove an administrator. The number is arbitrary. */
const LAST_ADMIN_LOCK = 5_733_523;

/**
 * Ends the user's sessions; reactivating does not restore them.
 * @throws Refusal `self_lockout`, `last_admin`, `no_emergency_account`
 */
export const deactivateUser: AccountChange = async (tx, actor, user) => {
  refuseSelf(actor, user);
  if (!user.isActive) return user;
  await writeAudit(tx, actor, "user.deactivate", targetOf(user));
  return setUserActive(tx, user, false);
};

export const reactivateUser: AccountChange = async (tx, actor, user) => {
  if (user.isActive) return user;
  await writeAudit(tx, actor, "user.reactivate", targetOf(user));
  return setUserActive(tx, user, true);
};

/** @throws Refusal `bot_account` */
export const promoteUser: AccountChange = async (tx, actor, user) => {
  refuseBot(user);
  if (user.isSiteAdmin) return user;
  await writeAudit(tx, actor, "user.promote", targetOf(user));
  return updateUser(tx, user, { isSiteAdmin: true });
};

/** @throws Refusal `self_lockout`, `last_admin`, `no_emergency_account` */
export const demoteUser: AccountChange = async (tx, actor, user) => {
  refuseSelf(actor, user);
  if (!user.isSiteAdmin) return user;
  if (await isLastAdmin(tx, user)) throw makeLastAdminRefusal(user);
  await checkEmergencyAccount(tx, user);
  await writeAudit(tx, actor, "user.demote", targetOf(user));
  return updateUser(tx, user, { isSiteAdmin: false });
};

/**
 * Call it before the transaction of `setUserPassword`: hashing takes about 50 ms, and would hold the row lock
 * and a connection.
 * @throws Refusal `not_found`, `bot_account`, `validation`
 */
export async function hashUserPassword(db: Query, key: UserKey, password: string): Promise<string> {
  const user = await requireUser(db, key);
  refuseBot(user);
  return hashPassword(password, [user.username, user.email ?? ""]);
}

/** Ends the user's sessions. @throws Refusal `self_lockout`, `bot_account` */
export async function setUserPassword(
  tx: Transaction,
  actor: AuditActor,
  user: UserRow,
  passwordHash: string,
): Promise<UserRow> {
  refuseSelf(actor, user);
  refuseBot(user);
  await writeAudit(tx, actor, "user.reset_password", targetOf(user));
  await savePasswordHash(tx, user.id, passwordHash);
  await endSessions(tx, user.id);
  return updateUser(tx, user, { passwordHash });
}

/** Clears failed attempts, so that the owner can sign in after strangers have locked the account. */
export const unlockUser: AccountChange = async (tx, actor, user) => {
  refuseBot(user);
  await clearFailures(tx, user.id);
  await writeAudit(tx, actor, "user.unlock", targetOf(user));
  return user;
};

/** Writes no audit row. Deactivation ends all sessions. @throws Refusal `last_admin` */
export async function setUserActive(
  tx: Transaction,
  user: UserRow,
  isActive: boolean,
): Promise<UserRow> {
  if (!isActive) {
    if (await isLastAdmin(tx, user)) throw makeLastAdminRefusal(user);
    if (user.isSiteAdmin) await checkEmergencyAccount(tx, user);
  }
  const account = await updateUser(tx, user, { isActive });
  // Before the scheduled messages, because the statement that posts them also locks rooms first.
  await updateClosedConversations(tx, user.id);
  if (!isActive) {
    await blockScheduledMessages(tx, [user.id], "deactivated");
    await endSessions(tx, user.id);
    await deleteResetLinks(tx, user.id);
  }
  return account;
}

export function targetOf({ id, username }: UserRow): AuditTarget {
  return { id, name: username };
}

/** @throws Refusal `self_lockout` if administrators change their own account */
function refuseSelf(actor: AuditActor, user: UserRow): void {
  if (actor.actorId !== user.id) return;
  throw new Refusal(
    "self_lockout",
    "You cannot do this to your own account. Ask another administrator.",
  );
}

function refuseBot(user: UserRow): void {
  if (!user.isBot) return;
  throw new Refusal("bot_account", `${user.username} is a bot. Bots only have tokens.`);
}

/** Also true for one of two concurrent changes that together would remove the last administrators. */
export async function isLastAdmin(tx: Transaction, { id }: UserRow): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LAST_ADMIN_LOCK})`);
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isSiteAdmin, true), eq(users.isActive, true)))
    .limit(2);
  return admins.length === 1 && admins[0]?.id === id;
}

const makeLastAdminRefusal = ({ username }: UserRow) =>
  new Refusal("last_admin", `${username} is the last active site administrator.`);

/**
 * Removes someone's authenticator app, passkeys and recovery codes, and ends all sessions.
 * @throws Refusal `self_lockout`, `bot_account`; `no_emergency_account`, except at the command line
 */
export const resetSecondFactor: AccountChange = async (tx, actor, user) => {
  refuseSelf(actor, user);
  refuseBot(user);
  if (!(await removeSecondFactor(tx, user.id))) return user;
  if (user.isSiteAdmin && actor.actorId !== null) await checkEmergencyAccount(tx, user);
  await writeAudit(tx, actor, "user.reset_second_factor", targetOf(user));
  await endSessions(tx, user.id);
  await queueSecurityMail(tx, user.id, "second_factor_reset");
  return { ...user, secondFactorAt: null };
};

/** @throws Refusal `bot_account`, `no_emergency_account` */
export function setKeepsPassword(keepsPassword: boolean): AccountChange {
  return async (tx, actor, user) => {
    refuseBot(user);
    if (user.keepsPassword === keepsPassword) return user;
    if (!keepsPassword) await checkEmergencyAccount(tx, user);
    await writeAudit(tx, actor, "user.update", targetOf(user), { keeps_password: keepsPassword });
    return updateUser(tx, user, { keepsPassword });
  };
}
