import { and, eq } from "drizzle-orm";
import type { Drizzle, Transaction } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import type { Mail } from "../email/mail.ts";
import { renderSecurityMail } from "../email/templates.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import type { SecurityChange } from "../jobs-queue/kinds.ts";
import { readSiteName } from "../team/read.ts";
import { displayNameOf } from "../users/users.ts";

/** @param detail the name of a passkey or a provider, or the number of remaining codes */
export async function queueSecurityMail(
  tx: Transaction,
  userId: string,
  change: SecurityChange,
  detail: string | null = null,
): Promise<void> {
  await enqueueJob(tx, { kind: "security_mail", payload: { userId, change, detail } });
}

/** @returns null if the account is deactivated or has no address */
export async function buildSecurityMail(
  db: Drizzle,
  baseUrl: string,
  { userId, change, detail }: { userId: string; change: SecurityChange; detail: string | null },
): Promise<Mail | null> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), eq(users.isActive, true)));
  if (!user?.email) return null;
  return renderSecurityMail({
    to: { name: displayNameOf(user), address: user.email },
    site: await readSiteName(db, baseUrl),
    username: user.username,
    change,
    detail,
    link: `${baseUrl}/profile/security`,
  });
}
