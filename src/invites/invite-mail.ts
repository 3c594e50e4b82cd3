import { and, eq, isNull, sql } from "drizzle-orm";
import { displayNameOf } from "../accounts/users.ts";
import { readSiteName } from "../team/read.ts";
import type { Drizzle } from "../database/connect.ts";
import { invites, users } from "../database/schema.ts";
import { renderInviteMail } from "../email/templates.ts";
import type { Mail } from "../email/mail.ts";
import type { InviteDeps } from "./invites.ts";
import { signupLink, signupToken } from "./links.ts";

/**
 * Builds the mail of an invite, or returns null if the invite was accepted, revoked, resent or expired
 * meanwhile. The link is derived from the current secret key here, so it is never stored.
 */
export async function buildInviteMail(
  db: Drizzle,
  { readKey, baseUrl }: InviteDeps,
  params: { inviteId: string; tokenId: string },
): Promise<Mail | null> {
  const { token, hash } = signupToken(await readKey(), params.tokenId);
  const [invite] = await db
    .update(invites)
    .set({ tokenHash: hash })
    .where(
      and(
        eq(invites.id, params.inviteId),
        eq(invites.tokenId, params.tokenId),
        isNull(invites.acceptedAt),
        isNull(invites.revokedAt),
        sql`${invites.expiresAt} > clock_timestamp()`,
      ),
    )
    .returning({ email: invites.email, invitedBy: invites.invitedBy });
  if (!invite?.email) return null;
  return renderInviteMail({
    to: invite.email,
    site: await readSiteName(db, baseUrl),
    inviter: await findInviterName(db, invite.invitedBy),
    link: signupLink(baseUrl, token),
  });
}

async function findInviterName(db: Drizzle, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  return user ? displayNameOf(user) : null;
}
