import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { toUser, userColumns } from "../accounts/users.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { inviteRooms, invites, rooms, users } from "../database/schema.ts";
import { isMailConfigured } from "../email/settings.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { decodeIdCursor, page } from "../platform/cursor.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import type { ReadKey } from "../platform/secrets.ts";
import type { CreateInvite, Invite, InviteStatus, SentInvite } from "../wire/admin.ts";
import { INVITE_DAYS } from "../wire/limits.ts";
import type { Page } from "../wire/models.ts";
import type { InviteQuery } from "../wire/queries.ts";
import { signupLink, signupToken } from "./links.ts";

/** What sending an invite needs: the key that its link is made of, and the origin that people use. */
export type InviteDeps = { readKey: ReadKey; baseUrl: string };

const status = sql<InviteStatus>`case
  when ${invites.acceptedAt} is not null then 'accepted'
  when ${invites.revokedAt} is not null then 'revoked'
  when ${invites.expiresAt} <= clock_timestamp() then 'expired'
  else 'pending' end`;

/**
 * Invites someone by email, with the rooms that one is to land in.
 * @param actorId null: the command line
 * @throws Refusal `email_taken`, `already_invited`, `validation`
 */
export async function createInvite(
  tx: Transaction,
  deps: InviteDeps,
  actorId: string | null,
  given: CreateInvite,
): Promise<SentInvite> {
  const email = given.email.trim().toLowerCase();
  // Of two who invite the same one at once, the second sees what the first did.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invite:${email}`}, 0))`);
  await refuseKnown(tx, email);
  const id = Bun.randomUUIDv7();
  await tx.insert(invites).values({ id, email, invitedBy: actorId, ...(await newToken(deps)) });
  await nameRooms(tx, id, [...new Set(given.room_ids)]);
  return send(tx, deps, id);
}

/**
 * Sends it again with a new link and a new week; the link before is void.
 * @throws Refusal `not_found`, `invite_closed`
 */
export async function resendInvite(
  tx: Transaction,
  deps: InviteDeps,
  id: string,
): Promise<SentInvite> {
  await lockOpen(tx, id);
  await tx
    .update(invites)
    .set(await newToken(deps))
    .where(eq(invites.id, id));
  return send(tx, deps, id);
}

/** @throws Refusal `not_found`, `invite_closed` */
export async function revokeInvite(tx: Transaction, id: string): Promise<Invite> {
  await lockOpen(tx, id);
  await tx
    .update(invites)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(eq(invites.id, id));
  return getInvite(tx, id);
}

/** Everyone who was invited, the latest first. */
export async function listInvites(tx: Query, query: InviteQuery): Promise<Page<Invite>> {
  const before = decodeIdCursor(query.cursor);
  const rows = await select(
    tx,
    and(
      before === null ? undefined : lt(invites.id, before),
      query.status === undefined ? undefined : eq(status, query.status),
      query.query === undefined
        ? undefined
        : sql`starts_with(${invites.email}, lower(${query.query}))`,
    ),
    query.limit + 1,
  );
  const { items, next } = page(rows, query.limit, (row) => row.id);
  return { items: items.map(toInvite), next };
}

/**
 * The id of an address's latest invite.
 * @throws Refusal `not_found`
 */
export async function findInvite(tx: Query, email: string): Promise<string> {
  const [latest] = await select(tx, eq(invites.email, email.trim().toLowerCase()), 1);
  if (!latest) throw new Refusal("not_found", `There is no invite for ${email}.`);
  return latest.id;
}

async function refuseKnown(tx: Query, email: string): Promise<void> {
  const known = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (known.length > 0) {
    throw new Refusal("email_taken", `${email} has an account here already.`);
  }
  const open = await select(tx, and(eq(invites.email, email), eq(status, "pending")), 1);
  if (open.length > 0) {
    throw new Refusal("already_invited", `${email} was invited already. Send that invite again.`);
  }
}

async function newToken({ readKey }: InviteDeps) {
  const tokenId = Bun.randomUUIDv7();
  const { hash } = signupToken(await readKey(), tokenId);
  const expiresAt = sql`clock_timestamp() + ${INVITE_DAYS} * interval '1 day'`;
  return { tokenId, tokenHash: hash, expiresAt };
}

async function nameRooms(tx: Transaction, inviteId: string, roomIds: string[]): Promise<void> {
  if (roomIds.length === 0) return;
  const named = await tx
    .insert(inviteRooms)
    .select(
      sql`select ${inviteId}::uuid, ${rooms.id} from ${rooms}
        where ${rooms.id} = any(${sql.param(roomIds)}::uuid[]) and not ${rooms.isArchived}`,
    )
    .returning();
  if (named.length < roomIds.length) {
    throw invalid("/room_ids", "One of these rooms does not exist or is archived.");
  }
}

/** Queues the mail, or where none goes out, answers with the link to hand on. */
async function send(tx: Transaction, deps: InviteDeps, id: string): Promise<SentInvite> {
  const invite = await getInvite(tx, id);
  const [{ tokenId } = { tokenId: null }] = await tx
    .select({ tokenId: invites.tokenId })
    .from(invites)
    .where(eq(invites.id, id));
  if (tokenId === null) throw new Error("send: an invite without a token");
  if (await isMailConfigured(tx)) {
    await enqueueJob(tx, { kind: "invite_mail", payload: { inviteId: id, tokenId } });
    return { ...invite, email_queued: true, link: null };
  }
  const { token } = signupToken(await deps.readKey(), tokenId);
  return { ...invite, email_queued: false, link: signupLink(deps.baseUrl, token) };
}

/** Holds an invite that somebody may still use. */
async function lockOpen(tx: Transaction, id: string): Promise<void> {
  const [row] = await tx
    .select({ acceptedAt: invites.acceptedAt, revokedAt: invites.revokedAt })
    .from(invites)
    .where(and(eq(invites.id, id), sql`${invites.email} is not null`))
    .for("update");
  if (!row) throw new Refusal("not_found", "There is no such invite.");
  if (row.acceptedAt) throw new Refusal("invite_closed", "This invite was accepted already.");
  if (row.revokedAt) {
    throw new Refusal("invite_closed", "This invite was revoked. Invite the person again.");
  }
}

async function getInvite(tx: Query, id: string): Promise<Invite> {
  const [row] = await select(tx, eq(invites.id, id), 1);
  if (!row) throw new Refusal("not_found", "There is no such invite.");
  return toInvite(row);
}

type InviteRow = Awaited<ReturnType<typeof select>>[number];

function select(tx: Query, which: SQL | undefined, limit: number) {
  return (
    tx
      .select({
        id: invites.id,
        email: invites.email,
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
      // The first administrator's link is nobody's invite.
      .where(and(sql`${invites.email} is not null`, which))
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
