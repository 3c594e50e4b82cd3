import { and, desc, eq, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { inviteRooms, invites, rooms, users } from "../database/schema.ts";
import type { Mail } from "../email/mail.ts";
import { isMailConfigured } from "../email/settings.ts";
import { renderInviteMail } from "../email/templates.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { FatalJobError } from "../jobs-queue/job.ts";
import { decodeIdCursor, toPage } from "../platform/input/cursor.ts";
import { LARGEST_ID } from "../platform/ids.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import {
  deriveToken,
  hashToken,
  randomToken,
  type ReadKey,
  type SecretKeys,
} from "../platform/secrets/secrets.ts";
import { readSiteName } from "../team/read.ts";
import { hasAccount, lockFirstAccount } from "../users/create-user.ts";
import { displayNameOf, toUser, userColumns } from "../users/users.ts";
import type { CreateInvite, Invite, InviteStatus, SentInvite } from "../wire/admin.ts";
import { INVITE_DAYS } from "../wire/limits.ts";
import type { Page } from "../wire/models.ts";
import type { InviteQuery } from "../wire/queries.ts";

/** Functions that change invites run in the caller's transaction and write to the audit log. */

/** `baseUrl` is the public origin of the service, for links. */
export type InviteDeps = { readKey: ReadKey; baseUrl: string };

/** @throws Refusal `email_taken`, `already_invited`, `validation` */
export async function createInvite(
  tx: Transaction,
  deps: InviteDeps,
  actor: AuditActor,
  params: CreateInvite,
): Promise<SentInvite> {
  const email = params.email.trim().toLowerCase();
  // Serializes invites for one address.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invite:${email}`}, 0))`);
  await refuseInvitedAddress(tx, email);
  const id = Bun.randomUUIDv7();
  const token = await createToken(deps);
  await tx.insert(invites).values({ id, email, invitedBy: actor.actorId, ...token });
  await addRooms(tx, id, [...new Set(params.room_ids)]);
  const invite = await sendInvite(tx, deps, id);
  await writeAudit(tx, actor, "invite.create", targetOf(invite), { room_ids: invite.room_ids });
  return invite;
}

/**
 * Sends an invite again with a new link and expiry; the previous link stops working. The invite is then from
 * the administrator who resends it, because the first one may have lost the role.
 * @throws Refusal `not_found`, `invite_closed`
 */
export async function resendInvite(
  tx: Transaction,
  deps: InviteDeps,
  actor: AuditActor,
  id: string,
): Promise<SentInvite> {
  await lockOpenInvite(tx, id);
  const token = await createToken(deps);
  const values = { ...token, invitedBy: actor.actorId };
  await tx.update(invites).set(values).where(eq(invites.id, id));
  const invite = await sendInvite(tx, deps, id);
  await writeAudit(tx, actor, "invite.resend", targetOf(invite));
  return invite;
}

/** @throws Refusal `not_found`, `invite_closed` */
export async function revokeInvite(tx: Transaction, actor: AuditActor, id: string): Promise<void> {
  await lockOpenInvite(tx, id);
  await tx
    .update(invites)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(eq(invites.id, id));
  const { invite } = await requireInvite(tx, id);
  await writeAudit(tx, actor, "invite.revoke", targetOf(invite));
}

function targetOf({ id, email }: Invite) {
  return { id, name: email };
}

async function refuseInvitedAddress(tx: Query, email: string): Promise<void> {
  const existing = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (existing.length > 0) {
    throw new Refusal("email_taken", `${email} already has an account.`);
  }
  const isPending = and(eq(invites.email, email), eq(status, "pending"));
  if ((await selectInvites(tx, isPending, 1)).length > 0) {
    throw new Refusal("already_invited", `${email} was already invited. Resend that invite.`);
  }
}

async function createToken({ readKey }: InviteDeps) {
  const tokenId = Bun.randomUUIDv7();
  const { hash } = signupToken(await readKey(), tokenId);
  const expiresAt = sql`clock_timestamp() + ${INVITE_DAYS} * interval '1 day'`;
  return { tokenId, tokenHash: hash, expiresAt };
}

async function addRooms(tx: Transaction, inviteId: string, roomIds: string[]): Promise<void> {
  if (roomIds.length === 0) return;
  const invitedRooms = await tx
    .insert(inviteRooms)
    .select(
      sql`select ${inviteId}::uuid, ${rooms.id} from ${rooms}
        where ${rooms.id} = any(${sql.param(roomIds)}::uuid[]) 
          and ${rooms.kind} = 'room' and not ${rooms.isArchived}
          and ${rooms.privateUntilSeq} is null
        for key share`,
    )
    .returning();
  if (invitedRooms.length < roomIds.length) {
    const message = "One of these rooms does not exist, is archived or was a conversation.";
    throw makeFieldRefusal("/room_ids", message);
  }
}

/** Queues the email, or returns the link if email is not configured. */
async function sendInvite(tx: Transaction, deps: InviteDeps, id: string): Promise<SentInvite> {
  const { invite, tokenId } = await requireInvite(tx, id);
  if (tokenId === null) throw new Error("sendInvite: an invite without a token");
  if (await isMailConfigured(tx)) {
    await enqueueJob(tx, { kind: "invite_mail", payload: { inviteId: id, tokenId } });
    return { ...invite, email_queued: true, link: null };
  }
  const { token } = signupToken(await deps.readKey(), tokenId);
  return { ...invite, email_queued: false, link: signupLink(deps.baseUrl, token) };
}

/** Locks an invite that can still be accepted, or that has expired and can be resent. */
async function lockOpenInvite(tx: Transaction, id: string): Promise<void> {
  const [row] = await tx
    .select({ acceptedAt: invites.acceptedAt, revokedAt: invites.revokedAt })
    .from(invites)
    .where(and(eq(invites.id, id), isNotNull(invites.email)))
    .for("update");
  if (!row) throw makeUnknownInviteRefusal();
  if (row.acceptedAt) throw new Refusal("invite_closed", "This invite was already accepted.");
  if (row.revokedAt) {
    throw new Refusal("invite_closed", "This invite was revoked. Invite the person again.");
  }
}

/** Deletes invites 30 days after they expire: until then a late click reads "expired", not "invalid". */
export async function deleteExpiredInvites(db: Drizzle): Promise<void> {
  const until = sql`clock_timestamp() - interval '30 days'`;
  await db.delete(invites).where(lt(invites.expiresAt, until));
}

const status = sql<InviteStatus>`case
  when ${invites.acceptedAt} is not null then 'accepted'
  when ${invites.revokedAt} is not null then 'revoked'
  when ${invites.expiresAt} <= clock_timestamp() then 'expired'
  else 'pending' end`;

export async function listInvites(tx: Query, query: InviteQuery): Promise<Page<Invite>> {
  const condition = and(
    lt(invites.id, decodeIdCursor(query.cursor) ?? LARGEST_ID),
    query.status && eq(status, query.status),
    query.query ? sql`starts_with(${invites.email}, lower(${query.query}::text))` : undefined,
  );
  const rows = await selectInvites(tx, condition, query.limit + 1);
  return toPage(rows, query.limit, (row) => row.id, toInvite);
}

/** The latest invite for an address. @throws Refusal `not_found` */
export async function requireInviteId(tx: Query, email: string): Promise<string> {
  const [latest] = await selectInvites(tx, eq(invites.email, email.trim().toLowerCase()), 1);
  if (!latest) throw new Refusal("not_found", `There is no invite for ${email}.`);
  return latest.id;
}

/** Includes the id of the current token. @throws Refusal `not_found` */
async function requireInvite(
  tx: Query,
  id: string,
): Promise<{ invite: Invite; tokenId: string | null }> {
  const [row] = await selectInvites(tx, eq(invites.id, id), 1);
  if (!row) throw makeUnknownInviteRefusal();
  return { invite: toInvite(row), tokenId: row.tokenId };
}

export function makeUnknownInviteRefusal(): Refusal {
  return new Refusal("not_found", "There is no such invite.");
}

type InviteRow = Awaited<ReturnType<typeof selectInvites>>[number];

function selectInvites(tx: Query, filter: SQL | undefined, limit: number) {
  return (
    tx
      .select({
        id: invites.id,
        email: invites.email,
        tokenId: invites.tokenId,
        status,
        roomIds: sql<string[]>`array(select room_id from invite_rooms
        where invite_id = ${invites.id} order by room_id)`,
        invitedBy: userColumns,
        createdAt: invites.createdAt,
        expiresAt: invites.expiresAt,
        acceptedAt: invites.acceptedAt,
      })
      .from(invites)
      .leftJoin(users, eq(users.id, invites.invitedBy))
      // The link of the first administrator is not an invite.
      .where(and(isNotNull(invites.email), filter))
      .orderBy(desc(invites.id))
      .limit(limit)
  );
}

function toInvite(row: InviteRow): Invite {
  return {
    id: row.id,
    email: row.email ?? "",
    status: row.status,
    room_ids: row.roomIds,
    invited_by: row.invitedBy && toUser(row.invitedBy),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    accepted_at: row.acceptedAt?.toISOString() ?? null,
  };
}

const FIRST_LINK_HOURS = 24;

/** Derives the token of an invite's link from the secret key. Only the hash is stored. */
export function signupToken(keys: SecretKeys, tokenId: string): { token: string; hash: Buffer } {
  const token = deriveToken(keys, "signup", tokenId);
  return { token, hash: hashToken(token) };
}

/** The token is in the fragment, which reaches no log and no `Referer` header. */
export function signupLink(baseUrl: string, token: string): string {
  return `${baseUrl}/signup#token=${token}`;
}

/** Revokes the previous link. @returns the new token; null if there is an account already */
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
 * Builds the email of an invite. The link is derived from the current secret key, so it is never stored.
 * @returns null if the invite was accepted, revoked, resent or expired in the meantime
 * @throws FatalJobError if the sender may no longer invite, which administrators see under Jobs
 */
export async function buildInviteMail(
  db: Drizzle,
  { readKey, baseUrl }: InviteDeps,
  params: { inviteId: string; tokenId: string },
): Promise<Mail | null> {
  const { token, hash } = signupToken(await readKey(), params.tokenId);
  const [invite] = await db
    .update(invites)
    .set({ tokenHash: hash })
    .where(
      and(
        eq(invites.id, params.inviteId),
        eq(invites.tokenId, params.tokenId),
        isNull(invites.acceptedAt),
        isNull(invites.revokedAt),
        sql`${invites.expiresAt} > clock_timestamp()`,
      ),
    )
    .returning({ email: invites.email, invitedBy: invites.invitedBy });
  if (!invite?.email) return null;
  const inviter = await readInviterName(db, invite.invitedBy);
  return renderInviteMail({
    to: invite.email,
    site: await readSiteName(db, baseUrl),
    inviter,
    link: signupLink(baseUrl, token),
  });
}

/** @returns null for an operator at the command line */
async function readInviterName(db: Drizzle, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (user?.isActive && user.isSiteAdmin) return displayNameOf(user);
  throw new FatalJobError(
    "The administrator who sent this invite may no longer invite. Resend it, or revoke it.",
  );
}
