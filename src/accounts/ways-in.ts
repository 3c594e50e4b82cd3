import { and, eq } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { identities, identityProviders, passkeys } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { mayUseOwnSignIn } from "./emergency.ts";
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
