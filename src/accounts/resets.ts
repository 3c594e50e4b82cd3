import { and, eq, sql } from "drizzle-orm";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { passwordResets, users } from "../database/schema.ts";
import { isMailConfigured } from "../email/settings.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets.ts";
import { countAttempt, networkOf } from "../rate-limits/rate-limits.ts";
import type { ResetPassword } from "../wire/requests.ts";
import { lockUser } from "./lock-user.ts";
import { hashPassword } from "./passwords.ts";
import { queueSecurityMail } from "./security-mail.ts";
import { endSessions } from "./sessions.ts";

const WINDOW_MINUTES = 60;
const MAX_REQUESTS_PER_ACCOUNT = 5;
const MAX_REQUESTS_PER_ADDRESS = 30;

/**
 * Requests a mail with a link to choose a new password. Neither the answer nor its timing reveals
 * whether an account has this address, since a job looks it up. Above the limits requests are ignored.
 * @returns whether mail is configured
 */
export async function requestReset(
  db: Drizzle,
  email: string,
  address: string,
): Promise<{ sends_mail: boolean }> {
  const folded = email.trim().toLowerCase();
  const sends_mail = await isMailConfigured(db);
  try {
    await countAttempt(db, [
      {
        key: `reset:address:${networkOf(address)}`,
        max: MAX_REQUESTS_PER_ADDRESS,
        minutes: WINDOW_MINUTES,
      },
      { key: `reset:account:${folded}`, max: MAX_REQUESTS_PER_ACCOUNT, minutes: WINDOW_MINUTES },
    ]);
  } catch (error) {
    if (error instanceof Refusal) return { sends_mail };
    throw error;
  }
  if (sends_mail) await enqueueJob(db, { kind: "reset_mail", payload: { email: folded } });
  return { sends_mail };
}

/**
 * @returns the account that the link is for, so that password managers save the right username
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
export async function resetPassword(db: Drizzle, params: ResetPassword): Promise<void> {
  // Checked before the slow hash, so that only a valid link causes work.
  const { userId, username, email } = await findReset(db, params.token);
  const passwordHash = await hashPassword(params.password, [username, email ?? ""]);
  await db.transaction(async (tx) => {
    // A deactivation or a new password that commits first deletes the link.
    await lockUser(tx, { id: userId });
    const used = await tx
      .delete(passwordResets)
      .where(eq(passwordResets.tokenHash, hashToken(params.token)))
      .returning();
    if (used.length === 0) throw unknownLink();
    await savePasswordHash(tx, userId, passwordHash);
    await endSessions(tx, userId);
    await queueSecurityMail(tx, userId, "password_changed");
  });
}

/** Saves the hash in a locked account and deletes its reset links. */
export async function savePasswordHash(
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
