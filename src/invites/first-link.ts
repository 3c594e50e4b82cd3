import { isNull } from "drizzle-orm";
import { hasAccount, lockFirstAccount } from "../accounts/first-account.ts";
import type { Drizzle } from "../database/connect.ts";
import { invites } from "../database/schema.ts";
import { hashToken, randomToken } from "../platform/secrets.ts";

const FIRST_LINK_HOURS = 24;

/**
 * Makes the first administrator's link while no account exists; the one before it is void.
 * @returns the token, or null once there is an account
 */
export function createFirstLink(db: Drizzle): Promise<string | null> {
  return db.transaction(async (tx) => {
    await lockFirstAccount(tx);
    if (await hasAccount(tx)) return null;
    const token = randomToken();
    await tx.delete(invites).where(isNull(invites.email));
    await tx.insert(invites).values({
      id: Bun.randomUUIDv7(),
      tokenHash: hashToken(token),
      expiresAt: new Date(Date.now() + FIRST_LINK_HOURS * 3_600_000),
    });
    return token;
  });
}
