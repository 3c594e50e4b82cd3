import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { hasAccount, lockFirstAccount } from "../accounts/first-account.ts";
import { arePasswordsOff } from "../accounts/emergency.ts";
import { type Caller, createSession } from "../accounts/sessions.ts";
import { insertUser, prepareUser } from "../accounts/create-user.ts";
import type { UserRow } from "../accounts/users.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { inviteRooms, invites, rooms } from "../database/schema.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets.ts";
import { addMembership } from "../rooms/membership.ts";
import type { Signup, SignupLink } from "../wire/requests.ts";
import { checkInviteLink, takeInviteLink } from "./shared-links.ts";

/**
 * @returns the address that was invited; null for the first administrator's link, and for one that
 * several people may use
 * @throws Refusal `link_not_found`, `link_expired`
 */
export async function checkSignup(tx: Query, token: string): Promise<SignupLink> {
  if (await checkInviteLink(tx, token)) return { email: null, kind: "shared" };
  const [invite] = await tx
    .select()
    .from(invites)
    .where(matchesOpenInvite(hashToken(token)));
  if (!invite || (invite.email === null && (await hasAccount(tx)))) {
    throw new Refusal(
      "link_not_found",
      "This signup link is invalid or was already used. Ask for a new one.",
    );
  }
  if (invite.expiresAt.getTime() <= Date.now()) {
    throw new Refusal("link_expired", "This signup link has expired. Ask for a new one.");
  }
  return { email: invite.email, kind: invite.email === null ? "first" : "invite" };
}

/**
 * Creates the account of a signup link and signs in. A link works once, even if used concurrently; a
 * refusal does not use it up.
 * @throws Refusal `passwords_off` where a provider is exclusive, and those of `checkSignup`,
 * `prepareUser` and `insertUser`
 */
export async function signUp(
  db: Drizzle,
  params: Signup,
  caller: Caller,
): Promise<{ user: UserRow; token: string }> {
  const { email, kind } = await checkSignup(db, params.token);
  if (await arePasswordsOff(db)) {
    const message = "People sign in with a provider here. Go to the sign-in, and use it.";
    throw new Refusal("passwords_off", message);
  }
  const isFirst = kind === "first";
  if (email === null && !params.email) throw makeInvalid("/email", "Enter your email address.");
  // Hash the password before the transaction, which would hold its locks meanwhile.
  const account = await prepareUser({
    username: params.username,
    email: email ?? params.email ?? "",
    password: params.password,
    displayName: params.display_name ?? null,
    isSiteAdmin: isFirst,
    hasUnverifiedEmail: email === null,
  });
  return db.transaction(async (tx) => {
    if (isFirst) await lockFirstAccount(tx);
    // Check again, since the link may have been used while the password was hashed.
    await checkSignup(tx, params.token);
    const taken = await takeSignupLink(tx, hashToken(params.token));
    if (!taken) {
      throw new Refusal("link_not_found", "This signup link was already used. Ask for a new one.");
    }
    const user = await insertUser(tx, account);
    await addToRooms(tx, taken.inviteId, user.id);
    return { user, token: await createSession(tx, user.id, caller) };
  });
}

/** A signup link that was used: its invite and whom it invited; both null for one of several people. */
export type TakenLink = { inviteId: string | null; email: string | null };

/** Uses a signup link up, or one of its uses. @returns null if it was used, revoked or expired meanwhile */
export async function takeSignupLink(tx: Transaction, hash: Buffer): Promise<TakenLink | null> {
  const [used] = await tx
    .update(invites)
    .set({ acceptedAt: sql`clock_timestamp()` })
    .where(and(matchesOpenInvite(hash), gt(invites.expiresAt, sql`clock_timestamp()`)))
    .returning({ inviteId: invites.id, email: invites.email });
  if (used) return used;
  return (await takeInviteLink(tx, hash)) ? { inviteId: null, email: null } : null;
}

function matchesOpenInvite(hash: Buffer) {
  return and(eq(invites.tokenHash, hash), isNull(invites.acceptedAt), isNull(invites.revokedAt));
}

/** Adds a new user to the rooms of the invite, if there is one, and to the default rooms. */
export async function addToRooms(
  tx: Transaction,
  inviteId: string | null,
  userId: string,
): Promise<void> {
  const named = tx
    .select({ roomId: inviteRooms.roomId })
    .from(inviteRooms)
    .where(sql`${inviteRooms.inviteId} = ${inviteId}`);
  const found = await tx
    .select({ id: rooms.id })
    .from(rooms)
    .where(and(eq(rooms.isArchived, false), sql`(${rooms.isDefault} or ${rooms.id} in ${named})`))
    // In one order, so that concurrent signups cannot deadlock.
    .orderBy(rooms.id)
    // Not `update`, which would deadlock with messages that reference one of the rooms.
    .for("no key update");
  for (const { id } of found) await addMembership(tx, id, userId, "member", null);
}
