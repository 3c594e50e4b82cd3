import { and, desc, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import { toUser, userColumns } from "../users/users.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { inviteLinks, users } from "../database/schema.ts";
import { decodeIdCursor, toPage } from "../platform/input/cursor.ts";
import { LARGEST_ID } from "../platform/ids.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken, type SecretKeys } from "../platform/secrets/secrets.ts";
import type { CreateInviteLink, InviteLink } from "../wire/admin.ts";
import { INVITE_LINK_DAYS, INVITE_LINK_USES, MAX_INVITE_LINKS } from "../wire/limits.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { type InviteDeps, makeUnknownInviteRefusal, signupLink, signupToken } from "./invites.ts";

const isUsable = and(
  isNull(inviteLinks.revokedAt),
  gt(inviteLinks.expiresAt, sql`clock_timestamp()`),
  lt(inviteLinks.uses, inviteLinks.maxUses),
);

export async function listInviteLinks(
  tx: Query,
  deps: InviteDeps,
  query: PageQuery,
): Promise<Page<InviteLink>> {
  const before = lt(inviteLinks.id, decodeIdCursor(query.cursor) ?? LARGEST_ID);
  const rows = await selectLinks(tx, before, query.limit + 1);
  // Reading the keys opens a file, so they are read only if needed.
  const keys = rows.some(({ isActive }) => isActive) ? await deps.readKey() : null;
  return toPage(
    rows,
    query.limit,
    ({ link }) => link.id,
    (row) => toInviteLink(deps.baseUrl, keys, row),
  );
}

/**
 * @param createdBy the administrator in whose name people are invited
 * @throws Refusal `too_many_invite_links`
 */
export async function createInviteLink(
  tx: Transaction,
  deps: InviteDeps,
  actor: AuditActor,
  createdBy: string,
  { days = INVITE_LINK_DAYS, max_uses = INVITE_LINK_USES }: CreateInviteLink,
): Promise<InviteLink> {
  if ((await tx.$count(inviteLinks, isUsable)) >= MAX_INVITE_LINKS) {
    const message = `At most ${MAX_INVITE_LINKS} links can be open. Revoke one first.`;
    throw new Refusal("too_many_invite_links", message);
  }
  const id = Bun.randomUUIDv7();
  const tokenId = Bun.randomUUIDv7();
  await tx.insert(inviteLinks).values({
    id,
    tokenId,
    tokenHash: signupToken(await deps.readKey(), tokenId).hash,
    createdBy,
    maxUses: max_uses,
    expiresAt: sql`clock_timestamp() + ${days} * interval '1 day'`,
  });
  await writeAudit(tx, actor, "invite_link.create", { id, name: null }, { days, max_uses });
  return requireLink(tx, deps, id);
}

/** @throws Refusal `not_found`, `invite_closed` */
export async function revokeInviteLink(
  tx: Transaction,
  deps: InviteDeps,
  actor: AuditActor,
  id: string,
): Promise<void> {
  const { uses } = await requireLink(tx, deps, id);
  const revokedLinks = await tx
    .update(inviteLinks)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(and(eq(inviteLinks.id, id), isNull(inviteLinks.revokedAt)))
    .returning();
  if (revokedLinks.length === 0)
    throw new Refusal("invite_closed", "This link was already revoked.");
  await writeAudit(tx, actor, "invite_link.revoke", { id, name: null }, { uses });
}

/**
 * @returns false if the token is not that of a link for several people
 * @throws Refusal `link_not_found` if it was revoked or used up, `link_expired`
 */
export async function checkInviteLink(tx: Query, token: string): Promise<boolean> {
  const [link] = await tx
    .select()
    .from(inviteLinks)
    .where(eq(inviteLinks.tokenHash, hashToken(token)));
  if (!link) return false;
  if (link.revokedAt || link.uses >= link.maxUses) {
    throw new Refusal("link_not_found", "This signup link is no longer valid. Ask for a new one.");
  }
  if (link.expiresAt.getTime() <= Date.now()) {
    throw new Refusal("link_expired", "This signup link has expired. Ask for a new one.");
  }
  return true;
}

/** Counts a use in the transaction of the signup. @returns false if the link is no longer usable */
export async function consumeInviteLink(tx: Transaction, hash: Buffer): Promise<boolean> {
  const usedLinks = await tx
    .update(inviteLinks)
    .set({ uses: sql`${inviteLinks.uses} + 1` })
    .where(and(eq(inviteLinks.tokenHash, hash), isUsable))
    .returning({ id: inviteLinks.id });
  return usedLinks.length > 0;
}

async function requireLink(tx: Query, deps: InviteDeps, id: string): Promise<InviteLink> {
  const [row] = await selectLinks(tx, eq(inviteLinks.id, id), 1);
  if (!row) throw makeUnknownInviteRefusal();
  return toInviteLink(deps.baseUrl, await deps.readKey(), row);
}

type Row = Awaited<ReturnType<typeof selectLinks>>[number];

function selectLinks(tx: Query, condition: SQL, limit: number) {
  return tx
    .select({
      link: inviteLinks,
      creator: userColumns,
      isActive: sql<boolean>`(${isUsable})`,
    })
    .from(inviteLinks)
    .innerJoin(users, eq(users.id, inviteLinks.createdBy))
    .where(condition)
    .orderBy(desc(inviteLinks.id))
    .limit(limit);
}

function toInviteLink(baseUrl: string, keys: SecretKeys | null, row: Row): InviteLink {
  const { link, creator, isActive } = row;
  const signup = keys && isActive ? signupToken(keys, link.tokenId) : null;
  return {
    id: link.id,
    link: signup?.hash.equals(link.tokenHash) ? signupLink(baseUrl, signup.token) : null,
    uses: link.uses,
    max_uses: link.maxUses,
    is_active: isActive,
    created_by: toUser(creator),
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    revoked_at: link.revokedAt?.toISOString() ?? null,
  };
}
