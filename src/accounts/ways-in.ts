import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { identities, identityProviders, passkeys, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { isExclusiveOn, mayUseOwnSignIn } from "./emergency.ts";
import type { UserRow } from "./users.ts";

/**
 * Refuses a change after which an account could not be signed in to any more. Called after the change,
 * in its transaction.
 * @throws Refusal `last_way_in`
 */
export async function checkWayIn(tx: Query, user: UserRow): Promise<void> {
  if (await mayUseOwnSignIn(tx, user)) {
    if (user.passwordHash !== null) return;
    const keys = await tx.$count(passkeys, eq(passkeys.userId, user.id));
    if (keys > 0 && user.secondFactorAt !== null) return;
  }
  const connected = await tx
    .select({ id: identities.id })
    .from(identities)
    .innerJoin(identityProviders, eq(identityProviders.id, identities.providerId))
    .where(and(eq(identities.userId, user.id), eq(identityProviders.isEnabled, true)))
    .limit(1);
  if (connected.length > 0) return;
  throw new Refusal(
    "last_way_in",
    "Without it you could not sign in any more. Set a password or connect a provider first.",
  );
}

/**
 * Refuses a change after which no administrator could sign in any more.
 * @throws Refusal `no_emergency_account`
 */
export async function checkAdministratorWayIn(tx: Transaction): Promise<void> {
  const connected = tx
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
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.isSiteAdmin, true),
        eq(users.isActive, true),
        sql`(exists ${connected} or ${hasOwn} and (${users.keepsPassword} or not ${isExclusiveOn}))`,
      ),
    )
    .limit(1);
  if (found.length > 0) return;
  throw new Refusal(
    "no_emergency_account",
    "After this no administrator could sign in. Give one of them a password first.",
  );
}
