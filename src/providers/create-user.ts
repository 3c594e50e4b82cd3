import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { insertUser } from "../accounts/create-user.ts";
import { hasAccount, lockFirstAccount } from "../accounts/first-account.ts";
import type { UserRow } from "../accounts/users.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { invites, users } from "../database/schema.ts";
import { addToRooms, type TakenLink, takeSignupLink } from "../invites/signup.ts";
import { Refusal } from "../platform/refusal.ts";
import { type Claims, listUsernames } from "./claims.ts";
import type { ProviderRow } from "./connection.ts";
import { insertIdentity } from "./identities.ts";
import { PageRefusal } from "./page-refusal.ts";
import { displayNameFrom } from "./profile.ts";

/** From where someone signs in for the first time, and the hash of the signup link that they followed. */
export type JoinStart = { ip: string; inviteHash: Buffer | null };

/**
 * Creates the account of an identity that has none: by a signup link, by a pending invite of its verified
 * address, or where the provider lets people sign up.
 * @throws Refusal `not_invited`, `email_taken`
 */
export async function createUser(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  { ip, inviteHash }: JoinStart,
): Promise<UserRow> {
  // The first account is an administrator's, by the link of the start or the command line.
  await lockFirstAccount(tx);
  if (!(await hasAccount(tx))) throw await notInvited(tx, provider, claims);
  const invite =
    (inviteHash && (await takeSignupLink(tx, inviteHash))) ?? (await takeInvite(tx, claims));
  if (!invite && !maySignUp(provider, claims)) throw await notInvited(tx, provider, claims);
  // An invite was mailed to its address; a link for several people is for any address.
  const email = invite?.email ?? claims.email;
  if (email === null) throw await notInvited(tx, provider, claims);
  const user = await insertUser(tx, {
    username: await findFreeUsername(tx, claims),
    email,
    displayName: displayNameFrom(claims),
    // The link of an invite is for its address.
    hasUnverifiedEmail: !invite?.email && !claims.isEmailVerified,
  });
  await insertIdentity(tx, provider, claims, user.id);
  await addToRooms(tx, invite?.inviteId ?? null, user.id);
  const actor: AuditActor = { actorId: user.id, ip };
  const details = { provider: provider.slug, is_site_admin: false };
  await writeAudit(tx, actor, "user.create", { id: user.id, name: user.username }, details);
  return user;
}

/** Whether a provider lets people in without an invite. The address must be verified. */
function maySignUp(provider: ProviderRow, { email, isEmailVerified }: Claims): boolean {
  if (!provider.allowSignup || email === null || !isEmailVerified) return false;
  const { allowedDomains } = provider;
  return allowedDomains.length === 0 || allowedDomains.includes(email.split("@").at(-1) ?? "");
}

/** Uses up a pending invite of a verified address. */
async function takeInvite(
  tx: Transaction,
  { email, isEmailVerified }: Claims,
): Promise<TakenLink | null> {
  if (email === null || !isEmailVerified) return null;
  const [used] = await tx
    .update(invites)
    .set({ acceptedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(invites.email, email),
        isNull(invites.acceptedAt),
        isNull(invites.revokedAt),
        gt(invites.expiresAt, sql`clock_timestamp()`),
      ),
    )
    .returning({ inviteId: invites.id, email: invites.email });
  return used ?? null;
}

async function findFreeUsername(tx: Query, claims: Claims): Promise<string> {
  const wanted = [...new Set(listUsernames(claims))];
  const taken = await tx
    .select({ username: users.username })
    .from(users)
    .where(sql`${users.username} = any(${sql.param(wanted)}::text[])`);
  const names = new Set(taken.map(({ username }) => username));
  const free = wanted.find((name) => !names.has(name));
  return free ?? `user-${Bun.randomUUIDv7().slice(-12)}`;
}

/**
 * The refusal of someone without an account. `whom` names an administrator, for texts in other
 * languages.
 */
export class NotInvited extends Refusal {
  constructor(
    detail: string,
    readonly whom: string | null,
  ) {
    super("not_invited", detail);
  }
}

/** Names an administrator whom to ask. */
async function notInvited(
  tx: Query,
  provider: ProviderRow,
  { email, isEmailVerified }: Claims,
): Promise<Refusal> {
  const [admin] = await tx
    .select({ username: users.username, displayName: users.displayName })
    .from(users)
    .where(and(eq(users.isSiteAdmin, true), eq(users.isActive, true)))
    .orderBy(asc(users.id))
    .limit(1);
  const whom = admin ? (admin.displayName ?? admin.username) : "an administrator";
  if (email !== null && !isEmailVerified) {
    return new PageRefusal(
      "not_invited",
      "not_connected",
      `No account here is connected with this sign-in. If you have one, sign in to it and connect ${provider.name} in your profile; else ask ${whom} for an invite.`,
      admin ? whom : null,
    );
  }
  return new NotInvited(
    email === null
      ? `${provider.name} did not say your email address, so there is no account for you. Ask ${whom}.`
      : `There is no account here for ${email}. Ask ${whom} for an invite.`,
    admin ? whom : null,
  );
}
