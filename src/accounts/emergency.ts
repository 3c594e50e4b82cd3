import { and, eq, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { prepareQuery } from "../database/prepared.ts";
import { identityProviders, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { UserRow } from "./users.ts";

/**
 * Emergency accounts: administrators who keep their password where a provider is exclusive, so that a
 * provider that fails, or a wrong setting, locks nobody out for good.
 */

/** An arbitrary advisory lock: changes that could remove the last emergency account run one after the other. */
const EMERGENCY_LOCK = 5_733_524;

/** Whether a provider is exclusive, for a query without `identityProviders`. */
export const isExclusiveOn = sql<boolean>`exists (select from ${identityProviders}
  where ${identityProviders.isExclusive} and ${identityProviders.isEnabled})`;

const findExclusive = prepareQuery("find_exclusive_provider", (db) =>
  db.select({ isOn: isExclusiveOn }).from(sql`(select 1) as one`),
);

/** True while a provider is exclusive: passwords and passkeys are for emergency accounts alone. */
export async function arePasswordsOff(tx: Query): Promise<boolean> {
  const [row] = await findExclusive(tx, {});
  return row?.isOn ?? false;
}

/** Whether an account may sign in here with a password or a passkey. */
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

/** How many emergency accounts there are, for a query without `users`. */
export const emergencyAccounts = sql<number>`(select count(*)::int from ${users}
  where ${isEmergencyAccount})`;

/** Counts the emergency accounts. @param more a further condition on `users` */
export async function countEmergencyAccounts(tx: Query, more?: SQL): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(users)
    .where(and(isEmergencyAccount, more));
  return row?.count ?? 0;
}

/**
 * Refuses a change after which no emergency account would be left while a provider is exclusive.
 * @param leaving the account that stops being an emergency account; null if a provider becomes
 * exclusive
 * @throws Refusal `no_emergency_account`
 */
export async function checkEmergencyAccount(
  tx: Transaction,
  leaving: Pick<UserRow, "id" | "keepsPassword"> | null,
): Promise<void> {
  if (leaving && !leaving.keepsPassword) return;
  await tx.execute(sql`select pg_advisory_xact_lock(${EMERGENCY_LOCK})`);
  if (leaving && !(await arePasswordsOff(tx))) return;
  const others = leaving ? ne(users.id, leaving.id) : undefined;
  if ((await countEmergencyAccounts(tx, others)) > 0) return;
  throw new Refusal(
    "no_emergency_account",
    leaving
      ? "While a provider is exclusive, one administrator must keep a password and have a second factor. Set up another one first."
      : "First let one administrator keep the password, and turn on a second factor for that account: with them you get in if the provider fails.",
  );
}
