import { and, eq, sql } from "drizzle-orm";
import { type AuditActor, type AuditTarget, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { passwordResets, users } from "../database/schema.ts";
import { blockScheduled } from "./block-scheduled.ts";
import { Refusal } from "../platform/refusal.ts";
import { checkEmergencyAccount } from "./emergency.ts";
import { lockFirstAccount } from "./first-account.ts";
import { clearFailures } from "./login-limits.ts";
import { hashPassword } from "./passwords.ts";
import { updatePairs } from "./pairs.ts";
import { savePasswordHash } from "./resets.ts";
import { endSessions } from "./sessions.ts";
import { insertUser, type PreparedUser } from "./create-user.ts";
import { requireUser, notifyUserUpdated, type UserKey, type UserRow } from "./users.ts";

/**
 * What administrators and operators do to accounts, in the caller's transaction. Each change writes its
 * row of the audit log; a change that changes nothing writes none.
 */

/** An audited change of an account. @param user as `lockUser` returned it */
export type AccountChange = (tx: Transaction, actor: AuditActor, user: UserRow) => Promise<UserRow>;

/** An arbitrary advisory lock: changes that remove an administrator run one after the other. */
const LAST_ADMIN_LOCK = 5_733_523;

/**
 * Creates a person's account.
 * @param account of `prepareUser`, which hashes the password before the transaction begins
 * @throws Refusal `username_taken`, `email_taken`
 */
export async function createAccount(
  tx: Transaction,
  actor: AuditActor,
  account: PreparedUser,
): Promise<UserRow> {
  await lockFirstAccount(tx);
  const user = await insertUser(tx, account);
  await writeAudit(tx, actor, "user.create", targetOf(user), { is_site_admin: user.isSiteAdmin });
  return user;
}

/**
 * Deactivates an account. Its sessions end for good; reactivating does not restore them.
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
  await refuseLastAdmin(tx, user);
  await checkEmergencyAccount(tx, user);
  await writeAudit(tx, actor, "user.demote", targetOf(user));
  return updateUser(tx, user, { isSiteAdmin: false });
};

/**
 * Hashes a new password for an account. It runs before the transaction of `setUserPassword`, which
 * would otherwise hold the row's lock and a connection while it hashes.
 * @throws Refusal `not_found`, `bot_account`, `validation`
 */
export async function hashUserPassword(db: Query, key: UserKey, password: string): Promise<string> {
  const user = await requireUser(db, key);
  refuseBot(user);
  return hashPassword(password, [user.username, user.email ?? ""]);
}

/**
 * Sets a password and ends the user's sessions.
 * @throws Refusal `self_lockout`, `bot_account`
 */
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

/** Forgets wrong passwords, codes and proofs, so that an account that strangers lock can sign in. */
export const unlockUser: AccountChange = async (tx, actor, user) => {
  refuseBot(user);
  await clearFailures(tx, user.id);
  await writeAudit(tx, actor, "user.unlock", targetOf(user));
  return user;
};

/**
 * Activates or deactivates without an audit entry. Deactivation closes all sockets.
 * @throws Refusal `last_admin`
 */
export async function setUserActive(
  tx: Transaction,
  user: UserRow,
  isActive: boolean,
): Promise<UserRow> {
  if (!isActive) {
    await refuseLastAdmin(tx, user);
    if (user.isSiteAdmin) await checkEmergencyAccount(tx, user);
    await blockScheduled(tx, [user.id], "deactivated");
    await endSessions(tx, user.id);
    await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id));
  }
  const changed = await updateUser(tx, user, { isActive });
  await updatePairs(tx, user.id);
  return changed;
}

/** Updates an account without an audit entry, and notifies everyone who sees it. */
export async function updateUser(
  tx: Transaction,
  user: UserRow,
  values: Partial<UserRow>,
): Promise<UserRow> {
  const [row] = await tx.update(users).set(values).where(eq(users.id, user.id)).returning();
  await notifyUserUpdated(tx, user.id);
  return row as UserRow;
}

/** An account as the audit log names it. */
export function targetOf({ id, username }: UserRow): AuditTarget {
  return { id, name: username };
}

/** @throws Refusal `self_lockout` where an administrator means their own account */
export function refuseSelf(actor: AuditActor, user: UserRow): void {
  if (actor.actorId !== user.id) return;
  throw new Refusal(
    "self_lockout",
    "You cannot do this to your own account. Ask another administrator.",
  );
}

/** @throws Refusal `bot_account` for what only a person's account has */
export function refuseBot(user: UserRow): void {
  if (!user.isBot) return;
  throw new Refusal("bot_account", `${user.username} is a bot. Bots only have tokens.`);
}

/** Also refuses one of two concurrent changes that would remove the last two administrators. */
export async function refuseLastAdmin(tx: Transaction, user: UserRow): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LAST_ADMIN_LOCK})`);
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isSiteAdmin, true), eq(users.isActive, true)))
    .limit(2);
  if (admins.length === 1 && admins[0]?.id === user.id) {
    throw new Refusal("last_admin", `${user.username} is the last active site administrator.`);
  }
}
