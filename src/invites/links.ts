import { isNull } from "drizzle-orm";
import { hasAccount, lockFirstAccount } from "../accounts/first-account.ts";
import type { Drizzle } from "../database/connect.ts";
import { invites } from "../database/schema.ts";
import { deriveToken, hashToken, randomToken, type SecretKeys } from "../platform/secrets.ts";

const FIRST_LINK_HOURS = 24;

/** The token of an invite's link. It is derived whenever the mail is sent; only the hash is stored. */
export function signupToken(keys: SecretKeys, tokenId: string): { token: string; hash: Buffer } {
  const token = deriveToken(keys, "signup", tokenId);
  return { token, hash: hashToken(token) };
}

/** The token is in the fragment, which reaches no log and no `Referer` header. */
export function signupLink(baseUrl: string, token: string): string {
  return `${baseUrl}/signup#token=${token}`;
}

/**
 * Creates the first administrator's signup link while no account exists, and voids the previous one.
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
