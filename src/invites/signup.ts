import { and, eq, isNull, sql } from "drizzle-orm";
import { hasAccount, lockFirstAccount } from "../accounts/first-account.ts";
import { createSession } from "../accounts/sessions.ts";
import { insertUser, prepareUser } from "../accounts/create-user.ts";
import type { UserRow } from "../accounts/users.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { inviteRooms, invites, rooms } from "../database/schema.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets.ts";
import { addMembership } from "../rooms/membership.ts";
import type { Signup } from "../wire/requests.ts";

/**
 * @returns the address that the link was sent to, null for the first administrator's
 * @throws Refusal `link_not_found`, `link_expired`
 */
export async function checkSignup(tx: Query, token: string): Promise<{ email: string | null }> {
  const [invite] = await tx.select().from(invites).where(stillOpen(token));
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
export async function signUp(
  db: Drizzle,
  given: Signup,
  userAgent: string | null,
): Promise<{ user: UserRow; token: string }> {
  const { email } = await checkSignup(db, given.token);
  const isFirst = email === null;
  if (isFirst && !given.email) throw invalid("/email", "Give your email address.");
  // Before the transaction, which holds its locks no longer than PostgreSQL needs.
  const account = await prepareUser({
    username: given.username,
    email: email ?? given.email ?? "",
    password: given.password,
    displayName: given.display_name ?? null,
    isSiteAdmin: isFirst,
  });
  return db.transaction(async (tx) => {
    if (isFirst) await lockFirstAccount(tx);
    // Again: the link may have been used meanwhile, or another may have been first.
    await checkSignup(tx, given.token);
    const [used] = await tx
      .update(invites)
      .set({ acceptedAt: sql`clock_timestamp()` })
      .where(stillOpen(given.token))
      .returning();
    if (!used) throw new Refusal("link_not_found", "This signup link was used. Ask for a new one.");
    const user = await insertUser(tx, account);
    await enterRooms(tx, used.id, user.id);
    return { user, token: await createSession(tx, user.id, userAgent) };
  });
}

function stillOpen(token: string) {
  return and(
    eq(invites.tokenHash, hashToken(token)),
    isNull(invites.acceptedAt),
    isNull(invites.revokedAt),
  );
}

/** Puts someone new into the rooms that the invite names, and into those that all are to be in. */
export async function enterRooms(tx: Transaction, inviteId: string, userId: string): Promise<void> {
  const named = tx
    .select({ roomId: inviteRooms.roomId })
    .from(inviteRooms)
    .where(eq(inviteRooms.inviteId, inviteId));
  const found = await tx
    .select({ id: rooms.id })
    .from(rooms)
    .where(and(eq(rooms.isArchived, false), sql`(${rooms.isDefault} or ${rooms.id} in ${named})`))
    // In this order, so that two who sign up at once cannot wait for each other.
    .orderBy(rooms.id)
    // Not "update": that would wait for messages that name one of them, and they for this.
    .for("no key update");
  for (const { id } of found) await addMembership(tx, id, userId, "member");
}
