import { and, asc, eq, sql } from "drizzle-orm";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import { addToRooms, consumeInviteFor, consumeSignupLink } from "../invites/signup.ts";
import type { Refusal } from "../platform/refusal.ts";
import { startSections } from "../sections/sections.ts";
import { hasAccount, insertUser, lockFirstAccount } from "../users/create-user.ts";
import type { UserRow } from "../users/users.ts";
import { type Claims, listUsernames } from "./claims.ts";
import type { ProviderRow } from "./connection.ts";
import { insertIdentity } from "./identities.ts";
import { PageRefusal } from "./pages.ts";
import { displayNameFrom } from "./profile.ts";

export type JoinStart = { ip: string; inviteHash: Buffer | null };

/**
 * Creates the account of a new identity, which needs a signup link, a pending invite for its verified address,
 * or a provider that lets people sign up.
 * @throws Refusal `not_invited`, `email_taken`
 */
export async function createUser(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  { ip, inviteHash }: JoinStart,
): Promise<UserRow> {
  // The first account is always an administrator, created with the first link or at the command line.
  await lockFirstAccount(tx);
  if (!(await hasAccount(tx))) throw await makeNotInvitedRefusal(tx, provider, claims);
  const { email: address, isEmailVerified } = claims;
  const invite =
    (inviteHash && (await consumeSignupLink(tx, inviteHash))) ??
    (address !== null && isEmailVerified ? await consumeInviteFor(tx, address) : null);
  if (!invite && !maySignUp(provider, claims))
    throw await makeNotInvitedRefusal(tx, provider, claims);
  // An invite has an address; a link for several people has none.
  const email = invite?.email ?? address;
  if (email === null) throw await makeNotInvitedRefusal(tx, provider, claims);
  const user = await insertUser(tx, {
    username: await findFreeUsername(tx, claims),
    email,
    displayName: displayNameFrom(claims),
    // Following an invite that was sent to the address verifies it.
    hasUnverifiedEmail: !invite?.email && !isEmailVerified,
  });
  await startSections(tx, user.id);
  await insertIdentity(tx, provider, claims, user.id);
  await addToRooms(tx, invite?.inviteId ?? null, user.id);
  const actor: AuditActor = { actorId: user.id, ip };
  const details = { provider: provider.slug, is_site_admin: false };
  await writeAudit(tx, actor, "user.create", { id: user.id, name: user.username }, details);
  return user;
}

/** Whether the provider accepts this verified address without an invite. */
function maySignUp(provider: ProviderRow, { email, isEmailVerified }: Claims): boolean {
  if (!provider.allowSignup || email === null || !isEmailVerified) return false;
  const { allowedDomains } = provider;
  return allowedDomains.length === 0 || allowedDomains.includes(email.split("@").at(-1) ?? "");
}

async function findFreeUsername(tx: Query, claims: Claims): Promise<string> {
  const candidates = [...new Set(listUsernames(claims))];
  const rows = await tx
    .select({ username: users.username })
    .from(users)
    .where(sql`${users.username} = any(${sql.param(candidates)}::text[])`);
  const usernames = new Set(rows.map(({ username }) => username));
  const free = candidates.find((name) => !usernames.has(name));
  return free ?? `user-${Bun.randomUUIDv7().slice(-12)}`;
}

async function makeNotInvitedRefusal(
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
  const contact = admin ? (admin.displayName ?? admin.username) : "an administrator";
  if (email !== null && !isEmailVerified) {
    return new PageRefusal(
      "not_invited",
      "not_connected",
      `No account here is connected with this sign-in. If you have an account, sign in to it and connect ${provider.name} in your profile. Otherwise ask ${contact} for an invite.`,
      admin ? contact : null,
    );
  }
  return new PageRefusal(
    "not_invited",
    "not_invited",
    email === null
      ? `${provider.name} did not share your email address, so no account can be created for you. Ask ${contact}.`
      : `There is no account here for ${email}. Ask ${contact} for an invite.`,
    admin ? contact : null,
  );
}
