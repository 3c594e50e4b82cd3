import { and, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import { hasAccount, insertUser, lockFirstAccount } from "../users/create-user.ts";
import { arePasswordsOff } from "../sign-in/lockout.ts";
import { type Caller, createSession } from "../authentication/sessions.ts";
import { prepareUser } from "../accounts/create-account.ts";
import type { UserRow } from "../users/users.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { inviteRooms, invites, rooms } from "../database/schema.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets/secrets.ts";
import { addMembership } from "../rooms/membership.ts";
import { startSections } from "../sections/sections.ts";
import type { Signup, SignupLink } from "../wire/requests.ts";
import { checkInviteLink, consumeInviteLink } from "./shared-links.ts";

/**
 * @returns the address that was invited; null for the link of the first administrator and for links for several
 * people
 * @throws Refusal `link_not_found`, `link_expired`
 */
export async function checkSignup(tx: Query, token: string): Promise<SignupLink> {
  if (await checkInviteLink(tx, token)) return { email: null, kind: "shared" };
  const [invite] = await tx
    .select()
    .from(invites)
    .where(and(eq(invites.tokenHash, hashToken(token)), isOpen));
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
 * Creates an account with a signup link and signs in. Of concurrent signups with one link only the first
 * succeeds; a refused one does not use it up.
 * @throws Refusal `passwords_off` while a provider is exclusive, and those of `checkSignup`,
 * `prepareUser` and `insertUser`
 */
export async function signUp(
  db: Drizzle,
  params: Signup,
  caller: Caller,
): Promise<{ user: UserRow; token: string }> {
  const { email, kind } = await checkSignup(db, params.token);
  if (await arePasswordsOff(db)) {
    const message = "This site uses a provider to sign in. Go to the sign-in page and use it.";
    throw new Refusal("passwords_off", message);
  }
  const isFirst = kind === "first";
  if (email === null && !params.email)
    throw makeFieldRefusal("/email", "Enter your email address.");
  // Hash the password before the transaction, which would hold its locks in the meantime.
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
    // The link may have been used while the password was hashed.
    await checkSignup(tx, params.token);
    const link = await consumeSignupLink(tx, hashToken(params.token));
    if (!link) {
      throw new Refusal("link_not_found", "This signup link was already used. Ask for a new one.");
    }
    const user = await insertUser(tx, account);
    await startSections(tx, user.id);
    await addToRooms(tx, link.inviteId, user.id);
    return { user, token: await createSession(tx, user.id, caller) };
  });
}

/** The invite of a used signup link and its address; both null for a link for several people. */
type ConsumedLink = { inviteId: string | null; email: string | null };

/** Uses up a signup link, or one of its uses. @returns null if it is no longer usable */
export async function consumeSignupLink(
  tx: Transaction,
  hash: Buffer,
): Promise<ConsumedLink | null> {
  const invite = await acceptInvite(tx, eq(invites.tokenHash, hash));
  if (invite) return invite;
  return (await consumeInviteLink(tx, hash)) ? { inviteId: null, email: null } : null;
}

export function consumeInviteFor(tx: Transaction, email: string): Promise<ConsumedLink | null> {
  return acceptInvite(tx, eq(invites.email, email));
}

const isOpen = and(isNull(invites.acceptedAt), isNull(invites.revokedAt));

async function acceptInvite(tx: Transaction, condition: SQL): Promise<ConsumedLink | null> {
  const [invite] = await tx
    .update(invites)
    .set({ acceptedAt: sql`clock_timestamp()` })
    .where(and(condition, isOpen, gt(invites.expiresAt, sql`clock_timestamp()`)))
    .returning({ inviteId: invites.id, email: invites.email });
  return invite ?? null;
}

/** Adds a new user to the rooms of the invite and to the default rooms. */
export async function addToRooms(
  tx: Transaction,
  inviteId: string | null,
  userId: string,
): Promise<void> {
  const invitedRoomIds = tx
    .select({ roomId: inviteRooms.roomId })
    .from(inviteRooms)
    .where(sql`${inviteRooms.inviteId} = ${inviteId}`);
  const joinedRooms = await tx
    .select({ id: rooms.id })
    .from(rooms)
    .where(
      and(
        eq(rooms.isArchived, false),
        sql`(${rooms.isDefault} or ${rooms.id} in ${invitedRoomIds})`,
      ),
    )
    // A fixed order, so that concurrent signups cannot deadlock.
    .orderBy(rooms.id)
    // Not `update`, which would deadlock with messages that reference one of the rooms.
    .for("no key update");
  for (const { id } of joinedRooms) await addMembership(tx, id, userId, "member", null);
}
