import { and, eq, sql } from "drizzle-orm";
import { lockUser } from "../accounts/lock-user.ts";
import { queueSecurityMail } from "../accounts/security-mail.ts";
import type { UserRow } from "../accounts/users.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { identities, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
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
  const owner = await findByEmail(tx, claims.email);
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
  if (!provider.linkByEmail || !claims.isEmailVerified) {
    throw new Refusal(
      "account_exists",
      "You have an account here. Sign in to it once, then connect it in your profile.",
    );
  }
  const user = await lockUser(tx, { id: userId });
  if (!user.isActive || user.isBot) throw failed();
  await insertIdentity(tx, provider, claims, user.id);
  await queueSecurityMail(tx, user.id, "provider_connected", provider.name);
  const actor: AuditActor = { actorId: user.id, ip };
  const details = { provider: provider.slug, by: "email" };
  await writeAudit(tx, actor, "user.connect", { id: user.id, name: user.username }, details);
  return user;
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
