import { and, desc, eq, isNotNull, lt, type Placeholder, type SQL, sql } from "drizzle-orm";
import { toUser, userColumns } from "../accounts/users.ts";
import type { Query } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { invites, users } from "../database/schema.ts";
import { decodeIdCursor, LARGEST_ID, toPage } from "../platform/cursor.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Invite, InviteStatus } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { InviteQuery } from "../wire/queries.ts";

const status = sql<InviteStatus>`case
  when ${invites.acceptedAt} is not null then 'accepted'
  when ${invites.revokedAt} is not null then 'revoked'
  when ${invites.expiresAt} <= clock_timestamp() then 'expired'
  else 'pending' end`;

/** A status of null does not matter, and every address begins with an empty start. */
type Filter = { status: InviteStatus | null; start: string };

const selectPage = prepareQuery(
  "list_invites",
  (db, params: Params<Filter & { before: string; limit: number }>) =>
    selectInvites(
      db,
      and(
        lt(invites.id, params.before),
        sql`${status} = coalesce(${params.status}::text, ${status})`,
        sql`starts_with(${invites.email}, lower(${params.start}::text))`,
      ),
      params.limit,
    ),
);

/** All invites, the latest first. */
export async function listInvites(tx: Query, query: InviteQuery): Promise<Page<Invite>> {
  const rows = await selectPage(tx, {
    before: decodeIdCursor(query.cursor) ?? LARGEST_ID,
    status: query.status ?? null,
    start: query.query ?? "",
    limit: query.limit + 1,
  });
  return toPage(rows, query.limit, (row) => row.id, toInvite);
}

/**
 * The id of an address's latest invite.
 * @throws Refusal `not_found`
 */
export async function requireInviteId(tx: Query, email: string): Promise<string> {
  const [latest] = await selectInvites(tx, eq(invites.email, email.trim().toLowerCase()), 1);
  if (!latest) throw new Refusal("not_found", `There is no invite for ${email}.`);
  return latest.id;
}

/** True if the address has an invite that it can still accept. */
export async function hasPendingInvite(tx: Query, email: string): Promise<boolean> {
  const pending = and(eq(invites.email, email), eq(status, "pending"));
  return (await selectInvites(tx, pending, 1)).length > 0;
}

/**
 * Reads an invite with the id of its current token.
 * @throws Refusal `not_found`
 */
export async function requireInvite(
  tx: Query,
  id: string,
): Promise<{ invite: Invite; tokenId: string | null }> {
  const [row] = await selectInvites(tx, eq(invites.id, id), 1);
  if (!row) throw makeUnknownInvite();
  return { invite: toInvite(row), tokenId: row.tokenId };
}

/** The refusal `not_found`. */
export function makeUnknownInvite(): Refusal {
  return new Refusal("not_found", "There is no such invite.");
}

type InviteRow = Awaited<ReturnType<typeof selectInvites>>[number];

function selectInvites(tx: Query, which: SQL | undefined, limit: number | Placeholder) {
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
      .where(and(isNotNull(invites.email), which))
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
