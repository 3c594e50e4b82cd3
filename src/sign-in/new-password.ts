import { and, eq, lt, sql } from "drizzle-orm";
import { endSessions, lockSession, sessionIdOf } from "../authentication/sessions.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { jobs, passwordResets, users } from "../database/schema.ts";
import type { Mail } from "../email/mail.ts";
import { isMailConfigured } from "../email/settings.ts";
import { renderResetMail } from "../email/templates.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { limitedNetwork } from "../platform/networks.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { deriveToken, hashToken, type ReadKey } from "../platform/secrets/secrets.ts";
import { countAttempt, limitFailures } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import { readSiteName } from "../team/read.ts";
import { displayNameOf, lockUser, type UserRow } from "../users/users.ts";
import { RESET_MINUTES } from "../wire/limits.ts";
import type { ResetPassword } from "../wire/requests.ts";
import { sessionLimit } from "./limits.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { checkReauthentication } from "./reauthentication.ts";
import { queueSecurityMail } from "./security-mail.ts";

const WINDOW_MINUTES = 60;
const MAX_REQUESTS_PER_ACCOUNT = 5;
const MAX_REQUESTS_PER_ADDRESS = 30;

/**
 * Requests an email with a link to choose a new password. Neither the response nor its timing reveals
 * whether an account has this address, because a job looks it up. Requests above the limits are ignored.
 * @returns whether email is configured
 */
export async function requestReset(
  db: Drizzle,
  email: string,
  address: string,
): Promise<{ sends_mail: boolean }> {
  const normalizedEmail = email.trim().toLowerCase();
  const sends_mail = await isMailConfigured(db);
  try {
    await countAttempt(db, [
      {
        key: `reset:address:${limitedNetwork(address)}`,
        max: MAX_REQUESTS_PER_ADDRESS,
        minutes: WINDOW_MINUTES,
      },
      {
        key: `reset:account:${normalizedEmail}`,
        max: MAX_REQUESTS_PER_ACCOUNT,
        minutes: WINDOW_MINUTES,
      },
    ]);
  } catch (error) {
    if (error instanceof Refusal) return { sends_mail };
    throw error;
  }
  if (sends_mail) await enqueueJob(db, { kind: "reset_mail", payload: { email: normalizedEmail } });
  return { sends_mail };
}

/**
 * @returns the username of the account, so that password managers save the right one
 * @throws Refusal `link_not_found`, `token_expired`
 */
export async function checkReset(tx: Query, token: string): Promise<{ username: string }> {
  const { username } = await findReset(tx, token);
  return { username };
}

/**
 * Sets a new password with a link, which works once. All sessions and other links of the user end.
 * @throws Refusal `link_not_found`, `token_expired`, `validation`
 */
export async function resetPassword(db: Drizzle, params: ResetPassword): Promise<void> {
  // First, so that an invalid link does not cost the time of hashing.
  const { userId, username, email } = await findReset(db, params.token);
  const passwordHash = await hashPassword(params.password, [username, email ?? ""]);
  await db.transaction(async (tx) => {
    // A deactivation or a new password that commits first deletes the link.
    await lockUser(tx, { id: userId });
    const rows = await tx
      .delete(passwordResets)
      .where(eq(passwordResets.tokenHash, hashToken(params.token)))
      .returning();
    if (rows.length === 0) throw makeUnknownLinkRefusal();
    await savePasswordHash(tx, userId, passwordHash);
    await endSessions(tx, userId);
    await queueSecurityMail(tx, userId, "password_changed");
  });
}

/** Also deletes reset links. @param passwordHash null to remove the password */
export async function savePasswordHash(
  tx: Transaction,
  userId: string,
  passwordHash: string | null,
): Promise<void> {
  await deleteResetLinks(tx, userId);
  await tx
    .update(users)
    .set({ passwordHash, passwordSetAt: sql`clock_timestamp()` })
    .where(eq(users.id, userId));
}

export async function deleteResetLinks(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
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
  if (!row) throw makeUnknownLinkRefusal();
  if (row.hasExpired) {
    throw new Refusal("token_expired", "This link has expired. Ask for a new one.");
  }
  return row;
}

function makeUnknownLinkRefusal(): Refusal {
  return new Refusal(
    "link_not_found",
    "This link is invalid or was already used. Ask for a new one.",
  );
}

/**
 * Builds the email with a link to choose a new password. The link's 15 minutes start when the job runs, and
 * again when it is retried.
 * @param jobId the link is derived from it and the secret key
 * @returns null if no account has this address, or its password was set after the request
 */
export async function buildResetMail(
  db: Drizzle,
  { readKey, baseUrl }: { readKey: ReadKey; baseUrl: string },
  email: string,
  jobId: string,
): Promise<Mail | null> {
  const token = deriveToken(await readKey(), "reset password", jobId);
  const user = await db.transaction((tx) => saveResetLink(tx, email, jobId, token));
  if (!user) return null;
  return renderResetMail({
    to: { name: displayNameOf(user), address: email },
    site: await readSiteName(db, baseUrl),
    username: user.username,
    link: `${baseUrl}/reset-password#token=${token}`,
  });
}

/**
 * Stores the link's hash under the account's lock: a new password or a deactivation either commits first
 * and prevents the link, or deletes it.
 * @returns null if the account gets no link
 */
async function saveResetLink(tx: Transaction, email: string, jobId: string, token: string) {
  const [user] = await tx
    .select({ id: users.id, username: users.username, displayName: users.displayName })
    .from(users)
    .innerJoin(jobs, eq(jobs.id, jobId))
    .where(
      and(
        eq(users.email, email),
        eq(users.isActive, true),
        eq(users.isBot, false),
        sql`${users.passwordSetAt} < ${jobs.createdAt}`,
      ),
    )
    .for("no key update", { of: users });
  if (!user) return null;
  const values = {
    tokenHash: hashToken(token),
    expiresAt: sql`clock_timestamp() + ${RESET_MINUTES} * interval '1 minute'`,
  };
  await tx
    .insert(passwordResets)
    .values({ id: jobId, userId: user.id, ...values })
    .onConflictDoUpdate({ target: passwordResets.id, set: values });
  return user;
}

/** Deletes a link a day after it expires: until then a late click reads "expired". */
export async function deleteExpiredResets(db: Drizzle): Promise<void> {
  const until = sql`clock_timestamp() - interval '1 day'`;
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, until));
}

/**
 * Changes the caller's password and ends the caller's other sessions. With a second factor the session must
 * have reauthenticated; otherwise the current password is enough. Wrong guesses are limited as at sign-in, so
 * that the password cannot be guessed from an unattended session.
 * @throws Refusal `validation` at `/current_password` or `/new_password`; `rate_limited`; `proof_needed`;
 * `unauthenticated` if the session ended meanwhile
 */
export async function changePassword(
  db: Drizzle,
  actor: Actor,
  params: { current_password?: string; new_password: string },
): Promise<void> {
  const [me] = await db.select().from(users).where(eq(users.id, actor.id));
  const checkedHash = me?.passwordHash ?? null;
  const { current_password } = params;
  const needsReauthentication = (user: UserRow) =>
    current_password === undefined || user.secondFactorAt !== null;
  if (me && needsReauthentication(me)) await checkReauthentication(db, actor);
  if (current_password !== undefined) {
    await limitFailures(db, [sessionLimit(actor)], async () => {
      const isCorrect = await verifyPassword(current_password, checkedHash);
      if (!isCorrect || checkedHash === null) throw makeWrongPasswordRefusal();
    });
  }
  const names = [me?.username ?? "", me?.email ?? ""];
  const passwordHash = await hashPassword(params.new_password, names, "/new_password");
  await db.transaction(async (tx) => {
    const current = await lockUser(tx, { id: actor.id });
    await lockSession(tx, actor);
    if (!current.isActive || current.passwordHash !== checkedHash) throw makeWrongPasswordRefusal();
    if (needsReauthentication(current)) await checkReauthentication(tx, actor);
    await savePasswordHash(tx, actor.id, passwordHash);
    await endSessions(tx, actor.id, { except: sessionIdOf(actor) });
    await queueSecurityMail(tx, actor.id, "password_changed");
  });
}

function makeWrongPasswordRefusal(): Refusal {
  return makeFieldRefusal("/current_password", "This is not your current password.");
}
