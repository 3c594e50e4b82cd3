import { and, eq, sql } from "drizzle-orm";
import { readSiteName } from "../team/read.ts";
import type { Drizzle, Transaction } from "../database/connect.ts";
import { jobs, passwordResets, users } from "../database/schema.ts";
import { renderResetMail } from "../email/templates.ts";
import type { Mail } from "../email/mail.ts";
import { deriveToken, hashToken, type ReadKey } from "../platform/secrets.ts";
import { RESET_MINUTES } from "../wire/limits.ts";
import { displayNameOf } from "./users.ts";

/**
 * Builds the mail with a link to choose a new password, or returns null if no account has this address
 * or its password was set after the request. The link's 15 minutes start at each attempt.
 * @param jobId the job that sends the mail: the link is derived from it and the secret key
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
 * Stores the link's hash under the account's lock: a new password or a deactivation either commits
 * first and is seen here, or deletes the link.
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
