import { and, eq, sql } from "drizzle-orm";
import type { Drizzle, Transaction } from "../database/connect.ts";
import { passwordResets, users } from "../database/schema.ts";
import { signal } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashPassword } from "./passwords.ts";
import { putPassword } from "./resets.ts";
import { endSessions } from "./sessions.ts";
import { getByUsername, type UserRow } from "./users.ts";

/** Any number of our own: whoever takes an administrator away takes turns. */
const LAST_ADMIN_LOCK = 5_733_523;

/**
 * Deactivates: the user's sessions end and none comes back by reactivation.
 * @throws Refusal `not_found`, `last_admin`
 */
export function deactivate(db: Drizzle, username: string): Promise<UserRow> {
  return db.transaction(async (tx) => {
    const user = await getByUsername(tx, username);
    await guardLastAdmin(tx, user);
    await endSessions(tx, user.id);
    await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id));
    return set(tx, user, { isActive: false });
  });
}

/** @throws Refusal `not_found` */
export function reactivate(db: Drizzle, username: string): Promise<UserRow> {
  return db.transaction(async (tx) =>
    set(tx, await getByUsername(tx, username), { isActive: true }),
  );
}

/** @throws Refusal `not_found` */
export function promote(db: Drizzle, username: string): Promise<UserRow> {
  return db.transaction(async (tx) =>
    set(tx, await getByUsername(tx, username), { isSiteAdmin: true }),
  );
}

/** @throws Refusal `not_found`, `last_admin` */
export function demote(db: Drizzle, username: string): Promise<UserRow> {
  return db.transaction(async (tx) => {
    const user = await getByUsername(tx, username);
    await guardLastAdmin(tx, user);
    return set(tx, user, { isSiteAdmin: false });
  });
}

/**
 * Sets a password and ends the user's sessions.
 * @throws Refusal `not_found`, `validation`
 */
export async function setPassword(
  db: Drizzle,
  username: string,
  password: string,
): Promise<UserRow> {
  const { email } = await getByUsername(db, username);
  const passwordHash = await hashPassword(password, [username, email]);
  return db.transaction(async (tx) => {
    const user = await getByUsername(tx, username);
    await putPassword(tx, user.id, passwordHash);
    await endSessions(tx, user.id);
    return set(tx, user, { passwordHash });
  });
}

async function set(tx: Transaction, user: UserRow, values: Partial<UserRow>): Promise<UserRow> {
  const [row] = await tx.update(users).set(values).where(eq(users.id, user.id)).returning();
  await signal(tx, { kind: "member_updated", user_id: user.id });
  await signal(tx, { kind: "me_updated", user_id: user.id });
  return row as UserRow;
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
