import { and, eq, sql } from "drizzle-orm";
import { writeAudit, type AuditActor, type AuditTarget } from "../audit/write.ts";
import type { Transaction } from "../database/connect.ts";
import { passwordResets, users } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashPassword } from "./passwords.ts";
import { putPassword } from "./resets.ts";
import { lockFirstAccount } from "./first-account.ts";
import { endSessions } from "./sessions.ts";
import { createUser, type NewUser, type UserRow } from "./users.ts";

/**
 * What administrators and operators do to accounts. The caller owns the transaction; each change
 * writes its row of the audit log in it, and what changes nothing writes none.
 */

/** Any number of our own: whoever takes an administrator away takes turns. */
const LAST_ADMIN_LOCK = 5_733_523;

/**
 * Makes a person's account.
 * @throws Refusal as `createUser`
 */
export async function createAccount(
  tx: Transaction,
  actor: AuditActor,
  given: NewUser,
): Promise<UserRow> {
  await lockFirstAccount(tx);
  const user = await createUser(tx, given);
  await writeAudit(tx, actor, "user.create", targetOf(user), { is_site_admin: user.isSiteAdmin });
  return user;
}

/**
 * Deactivates: the user's sessions end and none comes back by reactivation.
 * @param user as `lockUser` returned it, here and below
 * @throws Refusal `self_lockout`, `last_admin`
 */
export async function deactivate(
  tx: Transaction,
  actor: AuditActor,
  user: UserRow,
): Promise<UserRow> {
  refuseOneself(actor, user);
  if (!user.isActive) return user;
  await writeAudit(tx, actor, "user.deactivate", targetOf(user));
  return setActive(tx, user, false);
}

export async function reactivate(
  tx: Transaction,
  actor: AuditActor,
  user: UserRow,
): Promise<UserRow> {
  if (user.isActive) return user;
  await writeAudit(tx, actor, "user.reactivate", targetOf(user));
  return setActive(tx, user, true);
}

/** @throws Refusal `bot_account` */
export async function promote(tx: Transaction, actor: AuditActor, user: UserRow): Promise<UserRow> {
  refuseBot(user);
  if (user.isSiteAdmin) return user;
  await writeAudit(tx, actor, "user.promote", targetOf(user));
  return changeUser(tx, user, { isSiteAdmin: true });
}

/** @throws Refusal `self_lockout`, `last_admin` */
export async function demote(tx: Transaction, actor: AuditActor, user: UserRow): Promise<UserRow> {
  refuseOneself(actor, user);
  if (!user.isSiteAdmin) return user;
  await guardLastAdmin(tx, user);
  await writeAudit(tx, actor, "user.demote", targetOf(user));
  return changeUser(tx, user, { isSiteAdmin: false });
}

/**
 * Sets a password and ends the user's sessions.
 * @throws Refusal `validation`, `bot_account`
 */
export async function setPassword(
  tx: Transaction,
  actor: AuditActor,
  user: UserRow,
  password: string,
): Promise<UserRow> {
  refuseBot(user);
  const passwordHash = await hashPassword(password, [user.username, user.email ?? ""]);
  await writeAudit(tx, actor, "user.reset_password", targetOf(user));
  await putPassword(tx, user.id, passwordHash);
  await endSessions(tx, user.id);
  return changeUser(tx, user, { passwordHash });
}

/**
 * The change alone, which the caller writes down: of deactivation, all sockets close.
 * @throws Refusal `last_admin`
 */
export async function setActive(
  tx: Transaction,
  user: UserRow,
  isActive: boolean,
): Promise<UserRow> {
  if (!isActive) {
    await guardLastAdmin(tx, user);
    await endSessions(tx, user.id);
    await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id));
  }
  return changeUser(tx, user, { isActive });
}

/** Writes a change of the account's own fields and tells those who see it. */
export async function changeUser(
  tx: Transaction,
  user: UserRow,
  values: Partial<UserRow>,
): Promise<UserRow> {
  const [row] = await tx.update(users).set(values).where(eq(users.id, user.id)).returning();
  await notifyInstances(tx, { kind: "member_updated", user_id: user.id });
  await notifyInstances(tx, { kind: "me_updated", user_id: user.id });
  return row as UserRow;
}

function targetOf({ id, username }: UserRow): AuditTarget {
  return { id, name: username };
}

function refuseOneself(actor: AuditActor, user: UserRow): void {
  if (actor.actorId !== user.id) return;
  throw new Refusal(
    "self_lockout",
    "You cannot deactivate or demote yourself. Ask another administrator.",
  );
}

function refuseBot(user: UserRow): void {
  if (!user.isBot) return;
  throw new Refusal("bot_account", `${user.username} is a bot: it has tokens and nothing else.`);
}

/** Refuses to take the last active administrator away, also when two try at once. */
async function guardLastAdmin(tx: Transaction, user: UserRow): Promise<void> {
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
