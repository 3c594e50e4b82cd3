import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { insertUser } from "../accounts/create-user.ts";
import { hasAccount, lockFirstAccount } from "../accounts/first-account.ts";
import { lockUser } from "../accounts/lock-user.ts";
import { queueSecurityMail } from "../accounts/security-mail.ts";
import type { UserRow } from "../accounts/users.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { identities, invites, users } from "../database/schema.ts";
import { addToRooms } from "../invites/signup.ts";
import { Refusal } from "../platform/refusal.ts";
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH } from "../wire/limits.ts";
import { type Claims, listUsernames } from "./claims.ts";
import type { ProviderRow } from "./connection.ts";
import { displayNameFrom } from "./profile.ts";

/**
 * Which account an identity opens. Only `(issuer, subject)` ever does: an address may join an identity to
 * an account once, where an administrator has said that this provider verifies addresses.
 */

/** An account, locked, and whether it was created for this identity. */
export type Joined = { user: UserRow; isNew: boolean };

/**
 * Finds or creates the account of an identity that signs in.
 * @throws Refusal `invalid_credentials` for a deactivated account, `account_exists`, `not_invited`
 */
export async function joinAccount(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  ip: string,
): Promise<Joined> {
  const known = await findIdentity(tx, claims);
  if (known) {
    const user = await lockUser(tx, { id: known.userId });
    if (!user.isActive) throw failed();
    await noteUse(tx, provider, claims, known.id);
    return { user, isNew: false };
  }
  const owner = await findByEmail(tx, claims.email);
  if (owner) return { user: await joinByEmail(tx, provider, claims, owner.id, ip), isNew: false };
  return { user: await createUser(tx, provider, claims, ip), isNew: true };
}

/**
 * Connects an identity with the account of someone who is signed in and has proved it.
 * @throws Refusal `account_exists` if it is another account's
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

async function createUser(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  ip: string,
): Promise<UserRow> {
  const { email } = claims;
  // The first account is an administrator's, by the link of the start or the command line.
  await lockFirstAccount(tx);
  if (!(await hasAccount(tx))) throw await notInvited(tx, provider, claims);
  const invite = email !== null && claims.isEmailVerified ? await takeInvite(tx, email) : null;
  if (!invite && !maySignUp(provider, claims)) throw await notInvited(tx, provider, claims);
  if (email === null) throw await notInvited(tx, provider, claims);
  const user = await insertUser(tx, {
    username: await findFreeUsername(tx, claims),
    email,
    displayName: displayNameFrom(claims),
  });
  await insertIdentity(tx, provider, claims, user.id);
  await addToRooms(tx, invite, user.id);
  const actor: AuditActor = { actorId: user.id, ip };
  const details = { provider: provider.slug, is_site_admin: false };
  await writeAudit(tx, actor, "user.create", { id: user.id, name: user.username }, details);
  return user;
}

/** Whether a provider lets people in without an invite. The address must be verified. */
function maySignUp(provider: ProviderRow, { email, isEmailVerified }: Claims): boolean {
  if (!provider.allowSignup || email === null || !isEmailVerified) return false;
  if (email.length > MAX_EMAIL_LENGTH || !new RegExp(EMAIL_PATTERN).test(email)) return false;
  const { allowedDomains } = provider;
  return allowedDomains.length === 0 || allowedDomains.includes(email.split("@").at(-1) ?? "");
}

/** Uses up a pending invite of an address. @returns its id, or null */
async function takeInvite(tx: Transaction, email: string): Promise<string | null> {
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
    .returning({ id: invites.id });
  return used?.id ?? null;
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

async function insertIdentity(
  tx: Transaction,
  provider: ProviderRow,
  { issuer, subject, email }: Claims,
  userId: string,
): Promise<void> {
  const lastUsedAt = sql`clock_timestamp()`;
  await tx.insert(identities).values({
    ...{ id: Bun.randomUUIDv7(), issuer, subject, userId, email, lastUsedAt },
    providerId: provider.id,
  });
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

/** The refusal of someone without an account. `whom` is the administrator to ask, for other languages. */
export class NotInvited extends Refusal {
  constructor(
    detail: string,
    readonly whom: string | null,
  ) {
    super("not_invited", detail);
  }
}

/** Names an administrator whom to ask. */
async function notInvited(tx: Query, provider: ProviderRow, { email }: Claims): Promise<Refusal> {
  const [admin] = await tx
    .select({ username: users.username, displayName: users.displayName })
    .from(users)
    .where(and(eq(users.isSiteAdmin, true), eq(users.isActive, true)))
    .orderBy(asc(users.id))
    .limit(1);
  const whom = admin ? (admin.displayName ?? admin.username) : "an administrator";
  return new NotInvited(
    email === null
      ? `${provider.name} did not say your email address, so there is no account for you. Ask ${whom}.`
      : `There is no account here for ${email}. Ask ${whom} for an invite.`,
    admin ? whom : null,
  );
}

/** The words of any failed sign-in. */
function failed(): Refusal {
  return new Refusal("invalid_credentials", "That did not work. Check the account and try again.");
}
