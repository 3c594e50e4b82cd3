import { eq, isNull, sql } from "drizzle-orm";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { invites, users } from "../database/schema.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import { hashToken, randomToken } from "../platform/secrets.ts";
import type { Signup } from "../wire/requests.ts";
import { createSession } from "./sessions.ts";
import { createUser, type UserRow } from "./users.ts";

const FIRST_LINK_HOURS = 24;
/** Any number of our own: making the first account and its link take turns. */
const FIRST_ACCOUNT_LOCK = 5_733_522;

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

/**
 * @returns the address that the link was sent to, null for the first administrator's
 * @throws Refusal `link_not_found`, `link_expired`
 */
export async function checkSignup(tx: Query, token: string): Promise<{ email: string | null }> {
  const [invite] = await tx
    .select()
    .from(invites)
    .where(eq(invites.tokenHash, hashToken(token)));
  if (!invite || (invite.email === null && (await hasAccount(tx)))) {
    throw new Refusal(
      "link_not_found",
      "This signup link is unknown or was used. Ask for a new one.",
    );
  }
  if (invite.expiresAt.getTime() <= Date.now()) {
    throw new Refusal("link_expired", "This signup link has expired. Ask for a new one.");
  }
  return { email: invite.email };
}

/**
 * Makes the account of a signup link and signs in. Of two at once with one link, one succeeds; a
 * refusal leaves the link as it was.
 * @throws Refusal as `checkSignup` and `createUser`
 */
export function signUp(
  db: Drizzle,
  given: Signup,
  userAgent: string | null,
): Promise<{ user: UserRow; token: string }> {
  return db.transaction(async (tx) => {
    const { email } = await checkSignup(tx, given.token);
    const isFirst = email === null;
    if (isFirst) {
      await lockFirstAccount(tx);
      // Again: another may have been first while this one waited.
      await checkSignup(tx, given.token);
      if (!given.email) throw invalid("/email", "Give your email address.");
    }
    const [used] = await tx
      .delete(invites)
      .where(eq(invites.tokenHash, hashToken(given.token)))
      .returning();
    if (!used) throw new Refusal("link_not_found", "This signup link was used. Ask for a new one.");
    const user = await createUser(tx, {
      username: given.username,
      email: email ?? given.email ?? "",
      password: given.password,
      displayName: given.display_name ?? null,
      isSiteAdmin: isFirst,
    });
    return { user, token: await createSession(tx, user.id, userAgent) };
  });
}

/** True once any person has an account. */
export async function hasAccount(tx: Query): Promise<boolean> {
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.isBot, false)).limit(1);
  return rows.length > 0;
}

/** Whoever makes an account while there may be none takes turns. */
export async function lockFirstAccount(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`);
}
