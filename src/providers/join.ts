import { and, eq, sql } from "drizzle-orm";
import { lockUser, type UserRow } from "../users/users.ts";
import { queueSecurityMail } from "../sign-in/security-mail.ts";
import { endSessions } from "../authentication/sessions.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { identities, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { savePasswordHash } from "../sign-in/new-password.ts";
import { removeSecondFactor } from "../sign-in/second-factor.ts";
import type { Claims } from "./claims.ts";
import type { ProviderRow } from "./connection.ts";
import { createUser, type JoinStart } from "./create-user.ts";
import { insertIdentity } from "./identities.ts";

/**
 * An identity is `(issuer, subject)`, and nothing else identifies an account. An email address is only used
 * once, to connect an identity to an account, if an administrator trusts the provider to verify addresses.
 */

/** Separates the advisory locks of identities from others. The number is arbitrary. */
const IDENTITY_SEED = 5_733_525;

/** A locked account; `isNew` if it was created for the identity. */
type ResolvedAccount = { user: UserRow; isNew: boolean };

/**
 * Finds or creates the account of an identity that signs in.
 * @throws Refusal `invalid_credentials` for a deactivated account, `account_exists`, `not_invited`
 */
export async function joinAccount(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  { ip, inviteHash }: JoinStart,
): Promise<ResolvedAccount> {
  await lockIdentity(tx, claims);
  const identity = await findIdentity(tx, claims);
  if (identity) {
    const user = await lockUser(tx, { id: identity.userId });
    if (!user.isActive) throw makeSignInFailedRefusal();
    await saveIdentityUse(tx, provider, claims, identity.id);
    return { user, isNew: false };
  }
  // An unverified address must not reveal whether it has an account here.
  const [owner] =
    claims.isEmailVerified && claims.email
      ? await tx.select({ id: users.id }).from(users).where(eq(users.email, claims.email))
      : [];
  if (owner) return { user: await joinByEmail(tx, provider, claims, owner.id, ip), isNew: false };
  const user = await createUser(tx, provider, claims, { ip, inviteHash });
  return { user, isNew: true };
}

/** Lets the second of two sign-ins find the new account. Call it before locking any account. */
export async function lockIdentity(tx: Transaction, { issuer, subject }: Claims): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, ${IDENTITY_SEED}))`,
  );
}

/** @throws Refusal `account_exists` if the identity belongs to another account */
export async function connectIdentity(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  user: UserRow,
): Promise<void> {
  const identity = await findIdentity(tx, claims);
  if (identity && identity.userId !== user.id) {
    throw new Refusal(
      "account_exists",
      `This account of ${provider.name} is connected to someone else's account here.`,
    );
  }
  if (identity) return saveIdentityUse(tx, provider, claims, identity.id);
  await insertIdentity(tx, provider, claims, user.id);
  await queueSecurityMail(tx, user.id, "provider_connected", provider.name);
}

/** Records whether the provider sends `auth_time`, which reauthentication requires. */
export async function saveAuthTime(tx: Query, id: string, { authTime }: Claims): Promise<void> {
  await tx
    .update(identities)
    .set({ lacksAuthTime: authTime === null })
    .where(eq(identities.id, id));
}

export async function findIdentity(tx: Query, { issuer, subject }: Claims) {
  const [row] = await tx
    .select({ id: identities.id, userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return row ?? null;
}

async function joinByEmail(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  userId: string,
  ip: string,
): Promise<UserRow> {
  if (!provider.linkByEmail) throw makeAccountExistsRefusal();
  const user = await lockUser(tx, { id: userId });
  if (!user.isActive || user.isBot) throw makeSignInFailedRefusal();
  // Someone else may have created the account. An email address alone never gives access to an administrator.
  const isClaimed = user.hasUnverifiedEmail;
  if (isClaimed && (user.isSiteAdmin || user.keepsPassword)) throw makeAccountExistsRefusal();
  const joinedUser = isClaimed ? await removeOtherSignIns(tx, user) : user;
  await insertIdentity(tx, provider, claims, user.id);
  const change = isClaimed ? "account_claimed" : "provider_connected";
  await queueSecurityMail(tx, user.id, change, provider.name);
  const actor: AuditActor = { actorId: user.id, ip };
  const claimDetails = isClaimed ? { removed: "other sign-ins" } : {};
  const details = { provider: provider.slug, by: "email", ...claimDetails };
  await writeAudit(tx, actor, "user.connect", { id: user.id, name: user.username }, details);
  return joinedUser;
}

/**
 * Takes an account away from the person who created it with an unverified address: deletes its sessions,
 * password, reset links, second factor and identities.
 */
async function removeOtherSignIns(tx: Transaction, user: UserRow): Promise<UserRow> {
  await endSessions(tx, user.id);
  await tx.delete(identities).where(eq(identities.userId, user.id));
  await removeSecondFactor(tx, user.id);
  await savePasswordHash(tx, user.id, null);
  await tx.update(users).set({ hasUnverifiedEmail: false }).where(eq(users.id, user.id));
  return { ...user, passwordHash: null, secondFactorAt: null, hasUnverifiedEmail: false };
}

function makeAccountExistsRefusal(): Refusal {
  return new Refusal(
    "account_exists",
    "You have an account here. Sign in to it once, then connect it in your profile.",
  );
}

async function saveIdentityUse(
  tx: Transaction,
  provider: ProviderRow,
  { email }: Claims,
  identityId: string,
) {
  await tx
    .update(identities)
    .set({ providerId: provider.id, email, lastUsedAt: sql`clock_timestamp()` })
    .where(eq(identities.id, identityId));
}

/** Does not reveal that the account is deactivated. */
function makeSignInFailedRefusal(): Refusal {
  return new Refusal("invalid_credentials", "The sign-in failed. Check the account and try again.");
}
