import { and, eq, sql } from "drizzle-orm";
import type { Drizzle, Transaction } from "../database/connect.ts";
import { jobs, passwordResets, users } from "../database/schema.ts";
import { resetLetter } from "../email/letters.ts";
import type { Mail } from "../email/mail.ts";
import { deriveToken, hashToken, type ReadKey } from "../platform/secrets.ts";
import { RESET_MINUTES } from "../wire/limits.ts";
import { nameOf } from "./users.ts";

/**
 * The mail with a link to choose a new password, or null where nobody has this address or has set a
 * password since it was asked for. Its 15 minutes begin with each try to send it.
 * @param jobId of the job that mails it: the link is made of it and the secret key
 */
export async function resetMail(
  db: Drizzle,
  { readKey, baseUrl }: { readKey: ReadKey; baseUrl: string },
  email: string,
  jobId: string,
): Promise<Mail | null> {
  const token = deriveToken(await readKey(), "reset password", jobId);
  const user = await db.transaction((tx) => putReset(tx, email, jobId, token));
  if (!user) return null;
  return resetLetter({
    to: { name: nameOf(user), address: email },
    site: new URL(baseUrl).host,
    username: user.username,
    link: `${baseUrl}/reset-password#token=${token}`,
  });
}

/**
 * Stores a link's hash, with the account locked, so that a password or a deactivation that commits
 * meanwhile is seen here, or deletes the link.
 * @returns null if the account gets no link
 */
async function putReset(tx: Transaction, email: string, jobId: string, token: string) {
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
