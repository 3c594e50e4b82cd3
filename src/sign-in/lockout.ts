import { and, eq, isNotNull, ne, sql, type SQL } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { identities, identityProviders, passkeys, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { UserRow } from "../users/users.ts";

/**
 * Checks that prevent locking out an account or the whole site. Emergency accounts are administrators who keep
 * their password while a provider is exclusive, in case the provider fails or is misconfigured.
 */

/** Serializes changes that could remove the last emergency account. The number is arbitrary. */
const EMERGENCY_LOCK = 5_733_524;

/** SQL: whether a provider is exclusive. The query must not join `identityProviders`. */
export const isExclusiveOn = sql<boolean>`exists (select from ${identityProviders}
  where ${identityProviders.isExclusive} and ${identityProviders.isEnabled})`;

/** Whether a provider is exclusive, so that only emergency accounts may use passwords and passkeys. */
export async function arePasswordsOff(tx: Query): Promise<boolean> {
  const [row] = await tx.select({ isOn: isExclusiveOn }).from(sql`(select 1) as one`);
  return row?.isOn ?? false;
}

export async function mayUseOwnSignIn(
  tx: Query,
  { keepsPassword }: Pick<UserRow, "keepsPassword">,
): Promise<boolean> {
  const areOff = await arePasswordsOff(tx);
  return keepsPassword || !areOff;
}

const isEmergencyAccount = and(
  eq(users.isSiteAdmin, true),
  eq(users.isActive, true),
  eq(users.keepsPassword, true),
  isNotNull(users.passwordHash),
  isNotNull(users.secondFactorAt),
);

/** SQL: the number of emergency accounts. The query must not join `users`. */
export const emergencyAccounts = sql<number>`(select count(*)::int from ${users}
  where ${isEmergencyAccount})`;

/** @param filter a further condition on `users` */
export async function countEmergencyAccounts(tx: Query, filter?: SQL): Promise<number> {
  return tx.$count(users, and(isEmergencyAccount, filter));
}

/**
 * Refuses a change that would leave no emergency account while a provider is exclusive.
 * @param account the account that stops being an emergency account; null if a provider becomes exclusive
 * @throws Refusal `no_emergency_account`
 */
export async function checkEmergencyAccount(
  tx: Transaction,
  account: Pick<UserRow, "id" | "keepsPassword"> | null,
): Promise<void> {
  if (account && !account.keepsPassword) return;
  await tx.execute(sql`select pg_advisory_xact_lock(${EMERGENCY_LOCK})`);
  if (account && !(await arePasswordsOff(tx))) return;
  const exceptAccount = account ? ne(users.id, account.id) : undefined;
  if ((await countEmergencyAccounts(tx, exceptAccount)) > 0) return;
  throw new Refusal(
    "no_emergency_account",
    account
      ? "While a provider is exclusive, one administrator must keep a password and have a second factor. Set up another administrator first."
      : "First let one administrator keep the password and turn on a second factor, so that someone can sign in if the provider fails.",
  );
}

/**
 * Refuses a change that leaves an account without a sign-in method. Call it after the change, in its
 * transaction.
 * @throws Refusal `last_way_in`
 */
export async function checkSignInMethod(tx: Query, user: UserRow): Promise<void> {
  if (await mayUseOwnSignIn(tx, user)) {
    if (user.passwordHash !== null) return;
    const keys = await tx.$count(passkeys, eq(passkeys.userId, user.id));
    if (keys > 0 && user.secondFactorAt !== null) return;
  }
  const identityRows = await tx
    .select({ id: identities.id })
    .from(identities)
    .innerJoin(identityProviders, eq(identityProviders.id, identities.providerId))
    .where(and(eq(identities.userId, user.id), eq(identityProviders.isEnabled, true)))
    .limit(1);
  if (identityRows.length > 0) return;
  throw new Refusal(
    "last_way_in",
    "You could no longer sign in. Set a password or connect a provider first.",
  );
}

/** @throws Refusal `no_emergency_account` if no administrator could sign in after the change */
export async function checkAdministratorSignIn(tx: Transaction): Promise<void> {
  const usableIdentity = tx
    .select({ one: sql`1` })
    .from(identities)
    .innerJoin(identityProviders, eq(identityProviders.id, identities.providerId))
    .where(
      and(
        eq(identities.userId, users.id),
        eq(identityProviders.isEnabled, true),
        sql`rtrim(${identityProviders.issuer}, '/') = rtrim(${identities.issuer}, '/')`,
      ),
    );
  const keys = tx
    .select({ one: sql`1` })
    .from(passkeys)
    .where(eq(passkeys.userId, users.id));
  const hasOwn = sql`(${isNotNull(users.passwordHash)}
    or ${isNotNull(users.secondFactorAt)} and exists ${keys})`;
  const administrators = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.isSiteAdmin, true),
        eq(users.isActive, true),
        sql`(exists ${usableIdentity} or ${hasOwn} and (${users.keepsPassword} or not ${isExclusiveOn}))`,
      ),
    )
    .limit(1);
  if (administrators.length > 0) return;
  throw new Refusal(
    "no_emergency_account",
    "After this no administrator could sign in. Give one of them a password first.",
  );
}
