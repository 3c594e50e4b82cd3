import { and, eq, sql } from "drizzle-orm";
import { lockUser } from "../accounts/lock-user.ts";
import { queueSecurityMail } from "../accounts/security-mail.ts";
import { endSessions } from "../accounts/sessions.ts";
import type { UserRow } from "../accounts/users.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { identities, passkeys, passwordResets, totp, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { turnOff } from "../sign-in/factors.ts";
import type { Claims } from "./claims.ts";
import type { ProviderRow } from "./connection.ts";
import { createUser, type JoinStart } from "./create-user.ts";
import { insertIdentity } from "./identities.ts";

/**
 * Finds the account of an identity. Only `(issuer, subject)` ever does: an address may join an
 * identity to an account once, where an administrator has said that this provider verifies
 * addresses.
 */

/** An arbitrary number, so that the locks of identities are not those of something else. */
const IDENTITY_SEED = 5_733_525;

/** An account, locked, and whether it was just created for this identity. */
export type Joined = { user: UserRow; isNew: boolean };

/**
 * Finds or creates the account of an identity that signs in.
 * @throws Refusal `invalid_credentials` for a deactivated account, `account_exists`, `not_invited`
 */
export async function joinAccount(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  { ip, inviteHash }: JoinStart,
): Promise<Joined> {
  await lockIdentity(tx, claims);
  const known = await findIdentity(tx, claims);
  if (known) {
    const user = await lockUser(tx, { id: known.userId });
    if (!user.isActive) throw failed();
    await noteUse(tx, provider, claims, known.id);
    return { user, isNew: false };
  }
  // People who can choose an address at the provider must not learn whether it has an account here.
  const owner = claims.isEmailVerified ? await findByEmail(tx, claims.email) : null;
  if (owner) return { user: await joinByEmail(tx, provider, claims, owner.id, ip), isNew: false };
  const user = await createUser(tx, provider, claims, { ip, inviteHash });
  return { user, isNew: true };
}

/**
 * Makes sign-ins of one identity run one after the other, so that the second finds what the first has
 * made. Before any account is locked.
 */
export async function lockIdentity(tx: Transaction, { issuer, subject }: Claims): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, ${IDENTITY_SEED}))`,
  );
}

/**
 * Connects an identity with the account of someone who is signed in and has proved who they are.
 * @throws Refusal `account_exists` if the identity belongs to another account
 */
export async function connectIdentity(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  user: UserRow,
): Promise<void> {
  const known = await findIdentity(tx, claims);
  if (known && known.userId !== user.id) {
    throw new Refusal(
      "account_exists",
      `This account of ${provider.name} is connected with someone else's account here.`,
    );
  }
  if (known) return noteUse(tx, provider, claims, known.id);
  await insertIdentity(tx, provider, claims, user.id);
  await queueSecurityMail(tx, user.id, "provider_connected", provider.name);
}

/** Notes whether the provider says when its user signed in: one that does not is no proof. */
export async function noteAuthTime(tx: Query, id: string, { authTime }: Claims): Promise<void> {
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
  if (!provider.linkByEmail) throw accountExists();
  const user = await lockUser(tx, { id: userId });
  if (!user.isActive || user.isBot) throw failed();
  // Someone else may have made the account. An administrator's is not opened by an address alone.
  const isClaimed = user.hasUnverifiedEmail;
  if (isClaimed && (user.isSiteAdmin || user.keepsPassword)) throw accountExists();
  const joined = isClaimed ? await removeOtherSignIns(tx, user) : user;
  await insertIdentity(tx, provider, claims, user.id);
  const change = isClaimed ? "account_claimed" : "provider_connected";
  await queueSecurityMail(tx, user.id, change, provider.name);
  const actor: AuditActor = { actorId: user.id, ip };
  const removed = isClaimed ? { removed: "other sign-ins" } : {};
  const details = { provider: provider.slug, by: "email", ...removed };
  await writeAudit(tx, actor, "user.connect", { id: user.id, name: user.username }, details);
  return joined;
}

/**
 * Takes an account away from the person who made it with an address that was never verified: sessions, password,
 * reset links, second factor and other identities end.
 */
async function removeOtherSignIns(tx: Transaction, user: UserRow): Promise<UserRow> {
  await endSessions(tx, user.id);
  for (const table of [identities, totp, passkeys, passwordResets]) {
    await tx.delete(table).where(eq(table.userId, user.id));
  }
  await turnOff(tx, user.id);
  const values = {
    passwordHash: null,
    passwordSetAt: sql`clock_timestamp()`,
    hasUnverifiedEmail: false,
  };
  await tx.update(users).set(values).where(eq(users.id, user.id));
  return { ...user, passwordHash: null, secondFactorAt: null, hasUnverifiedEmail: false };
}

function accountExists(): Refusal {
  return new Refusal(
    "account_exists",
    "You have an account here. Sign in to it once, then connect it in your profile.",
  );
}

async function noteUse(tx: Transaction, { id }: ProviderRow, { email }: Claims, known: string) {
  await tx
    .update(identities)
    .set({ providerId: id, email, lastUsedAt: sql`clock_timestamp()` })
    .where(eq(identities.id, known));
}

async function findByEmail(tx: Query, email: string | null) {
  if (email === null) return null;
  const [row] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
  return row ?? null;
}

/** The same words as for any failed sign-in. */
function failed(): Refusal {
  return new Refusal("invalid_credentials", "That did not work. Check the account and try again.");
}
