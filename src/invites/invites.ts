import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { inviteRooms, invites, rooms, users } from "../database/schema.ts";
import { isMailConfigured } from "../email/settings.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import type { ReadKey } from "../platform/secrets.ts";
import type { CreateInvite, Invite, SentInvite } from "../wire/admin.ts";
import { INVITE_DAYS } from "../wire/limits.ts";
import { signupLink, signupToken } from "./links.ts";
import { requireInvite, hasPendingInvite, makeUnknownInvite } from "./read-invites.ts";

/**
 * What administrators and operators do with invites, in the caller's transaction. Each function writes
 * its row of the audit log.
 */

/** `baseUrl` is the public origin of the service, for links. */
export type InviteDeps = { readKey: ReadKey; baseUrl: string };

/**
 * Invites someone by email, who joins `room_ids` at signup.
 * @throws Refusal `email_taken`, `already_invited`, `validation`
 */
export async function createInvite(
  tx: Transaction,
  deps: InviteDeps,
  actor: AuditActor,
  params: CreateInvite,
): Promise<SentInvite> {
  const email = params.email.trim().toLowerCase();
  // Concurrent invites of one address run one after the other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invite:${email}`}, 0))`);
  await refuseInvited(tx, email);
  const id = Bun.randomUUIDv7();
  const token = await createToken(deps);
  await tx.insert(invites).values({ id, email, invitedBy: actor.actorId, ...token });
  await addRooms(tx, id, [...new Set(params.room_ids)]);
  const sent = await sendInvite(tx, deps, id);
  await writeAudit(tx, actor, "invite.create", targetOf(sent), { room_ids: sent.room_ids });
  return sent;
}

/**
 * Sends an invite again with a new link and a new expiry; the previous link stops working.
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
  await tx.update(invites).set(token).where(eq(invites.id, id));
  const sent = await sendInvite(tx, deps, id);
  await writeAudit(tx, actor, "invite.resend", targetOf(sent));
  return sent;
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

async function refuseInvited(tx: Query, email: string): Promise<void> {
  const existing = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (existing.length > 0) {
    throw new Refusal("email_taken", `${email} already has an account.`);
  }
  if (await hasPendingInvite(tx, email)) {
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
  const added = await tx
    .insert(inviteRooms)
    .select(
      sql`select ${inviteId}::uuid, ${rooms.id} from ${rooms}
        where ${rooms.id} = any(${sql.param(roomIds)}::uuid[]) 
          and ${rooms.kind} = 'room' and not ${rooms.isArchived}`,
    )
    .returning();
  if (added.length < roomIds.length) {
    throw makeInvalid("/room_ids", "One of these rooms does not exist or is archived.");
  }
}

/** Queues the mail, or returns the link if mail is not configured. */
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
  if (!row) throw makeUnknownInvite();
  if (row.acceptedAt) throw new Refusal("invite_closed", "This invite was already accepted.");
  if (row.revokedAt) {
    throw new Refusal("invite_closed", "This invite was revoked. Invite the person again.");
  }
}

/** Deletes invites 30 days after they expired, so that a late click is answered "expired", not "unknown". */
export async function deleteExpiredInvites(db: Drizzle): Promise<void> {
  const until = sql`clock_timestamp() - interval '30 days'`;
  await db.delete(invites).where(lt(invites.expiresAt, until));
}
