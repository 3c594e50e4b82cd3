import { and, eq, sql } from "drizzle-orm";
import type { Database, Drizzle, Query, Transaction } from "../database/connect.ts";
import { passwordResets, users } from "../database/schema.ts";
import { isMailConfigured } from "../email/settings.ts";
import { enqueue } from "../jobs-queue/enqueue.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets.ts";
import { countAttempt, networkOf } from "../rate-limits/rate-limits.ts";
import type { ResetPassword } from "../wire/requests.ts";
import { lockUser } from "./lock-user.ts";
import { hashPassword } from "./passwords.ts";
import { endSessions } from "./sessions.ts";

const HOUR = 60;
const ASKS_OF_ACCOUNT = 5;
const ASKS_OF_ADDRESS = 30;

/**
 * Asks for a link to choose a new password. What is answered, and how long that takes, does not tell
 * whether anyone has this address: a job looks. Past the limits the wish is dropped in silence.
 * @returns whether mails go out at all
 */
export async function askForReset(
  { db, sql: hand }: Database,
  email: string,
  address: string,
): Promise<{ sends_mail: boolean }> {
  const folded = email.trim().toLowerCase();
  const sends_mail = await isMailConfigured(db);
  try {
    await countAttempt(hand, [
      { key: `reset:address:${networkOf(address)}`, max: ASKS_OF_ADDRESS, minutes: HOUR },
      { key: `reset:account:${folded}`, max: ASKS_OF_ACCOUNT, minutes: HOUR },
    ]);
  } catch (error) {
    if (error instanceof Refusal) return { sends_mail };
    throw error;
  }
  if (sends_mail) await enqueue(db, { kind: "reset_mail", payload: { email: folded } });
  return { sends_mail };
}

/**
 * @returns whose password the link sets, so that a browser keeps it under the right name
 * @throws Refusal `link_not_found`, `token_expired`
 */
export async function checkReset(tx: Query, token: string): Promise<{ username: string }> {
  const { username } = await findReset(tx, token);
  return { username };
}

/**
 * Sets a new password with a link, once; all of that user's sessions and other links end.
 * @throws Refusal `link_not_found`, `token_expired`, `validation`
 */
export async function resetPassword(db: Drizzle, given: ResetPassword): Promise<void> {
  // Before the slow hash: only who holds a link may make us work.
  const { userId, username, email } = await findReset(db, given.token);
  const passwordHash = await hashPassword(given.password, [username, email ?? ""]);
  await db.transaction(async (tx) => {
    // A deactivation or a new password that commits first has deleted the link.
    await lockUser(tx, { id: userId });
    const used = await tx
      .delete(passwordResets)
      .where(eq(passwordResets.tokenHash, hashToken(given.token)))
      .returning();
    if (used.length === 0) throw unknownLink();
    await putPassword(tx, userId, passwordHash);
    await endSessions(tx, userId);
  });
}

/** Stores a hash in an account that is locked, and deletes the reset links that were sent before. */
export async function putPassword(
  tx: Transaction,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
  await tx
    .update(users)
    .set({ passwordHash, passwordSetAt: sql`clock_timestamp()` })
    .where(eq(users.id, userId));
}

async function findReset(tx: Query, token: string) {
  const [row] = await tx
    .select({
      userId: users.id,
      username: users.username,
      email: users.email,
      hasExpired: sql<boolean>`${passwordResets.expiresAt} <= clock_timestamp()`,
    })
    .from(passwordResets)
    .innerJoin(users, and(eq(users.id, passwordResets.userId), eq(users.isActive, true)))
    .where(eq(passwordResets.tokenHash, hashToken(token)));
  if (!row) throw unknownLink();
  if (row.hasExpired) {
    throw new Refusal("token_expired", "This link has expired. Ask for a new one.");
  }
  return row;
}

function unknownLink(): Refusal {
  return new Refusal("link_not_found", "This link is unknown or was used. Ask for a new one.");
}
