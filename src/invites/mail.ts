import { and, eq, isNull, sql } from "drizzle-orm";
import { nameOf } from "../accounts/users.ts";
import type { Drizzle } from "../database/connect.ts";
import { invites, users } from "../database/schema.ts";
import { inviteLetter } from "../email/letters.ts";
import type { Mail } from "../email/mail.ts";
import type { InviteDeps } from "./invites.ts";
import { signupLink, signupToken } from "./links.ts";

/**
 * The mail of an invite, or null where it was used, revoked or sent anew meanwhile. The link is made
 * here, of the secret key as it is now: until the mail goes out nobody can read it anywhere.
 */
export async function inviteMail(
  db: Drizzle,
  { readKey, baseUrl }: InviteDeps,
  wanted: { inviteId: string; tokenId: string },
): Promise<Mail | null> {
  const { token, hash } = signupToken(await readKey(), wanted.tokenId);
  const [invite] = await db
    .update(invites)
    .set({ tokenHash: hash })
    .where(
      and(
        eq(invites.id, wanted.inviteId),
        eq(invites.tokenId, wanted.tokenId),
        isNull(invites.acceptedAt),
        isNull(invites.revokedAt),
        sql`${invites.expiresAt} > clock_timestamp()`,
      ),
    )
    .returning({ email: invites.email, invitedBy: invites.invitedBy });
  if (!invite?.email) return null;
  return inviteLetter({
    to: invite.email,
    site: new URL(baseUrl).host,
    inviter: await inviterOf(db, invite.invitedBy),
    link: signupLink(baseUrl, token),
  });
}

async function inviterOf(db: Drizzle, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  return user ? nameOf(user) : null;
}
