import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { coalesceReads } from "../database/coalesce-reads.ts";
import type { SqlClient, Transaction } from "../database/connect.ts";
import { apiTokens, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { makeUnknownUserRefusal, type UserRow } from "../users/users.ts";
import { lockSession, makeEndedSessionRefusal } from "./sessions.ts";

/** Reads which of these sessions and tokens have not ended and belong to an active user. */
export async function readValidCredentials(sql: SqlClient, ids: string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select s.id from sessions s join users u on u.id = s.user_id
    where s.id = any(${ids}::uuid[]) and s.expires_at > clock_timestamp() and u.is_active
      and not s.is_restricted
    union all
    select t.id from api_tokens t join users u on u.id = t.user_id
    where t.id = any(${ids}::uuid[]) and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp()) and u.is_active`;
  return new Set(rows.map((row) => row.id));
}

const isValid = coalesceReads<string, boolean>(async (sql, ids) => {
  const valid = await readValidCredentials(sql, [...new Set(ids)]);
  return ids.map((id) => valid.has(id));
});

/**
 * Checks the credential of an open socket for each frame, because the signal that ends it can be lost.
 * @throws Refusal `unauthenticated` for a session, `invalid_token` for a bot's token
 */
export async function checkCredential(sql: SqlClient, id: string, isBot: boolean): Promise<void> {
  if (!(await isValid(sql, id))) throw makeEndedCredentialRefusal(isBot);
}

export function makeEndedCredentialRefusal(isBot: boolean): Refusal {
  return isBot
    ? new Refusal("invalid_token", "The token is no longer valid.")
    : new Refusal("unauthenticated", "Your session has ended. Sign in again.");
}

/**
 * Locks the session or token with which the caller schedules a message, so that it cannot end before the
 * message is committed: ending it then blocks the message.
 * @throws Refusal `unauthenticated`, `invalid_token` if it has ended since the request began
 */
export async function lockCredential(
  tx: Transaction,
  actor: Actor,
): Promise<{ sessionId: string | null; tokenId: string | null }> {
  const { sessionId, token } = actor;
  if (token === null) {
    await lockSession(tx, actor);
    return { sessionId, tokenId: null };
  }
  const [row] = await tx
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(and(eq(apiTokens.id, token.id), isNull(apiTokens.revokedAt)))
    // A key share lock would not keep the token from being revoked.
    .for("share");
  if (!row) throw makeEndedCredentialRefusal(true);
  return { sessionId: null, tokenId: token.id };
}

/**
 * Locks the rows of an administrator and of an account, and checks the administrator again, who may have
 * lost the role or the session since the request began. Rows are locked in the order of ids, so that two
 * administrators who change each other's accounts do not deadlock.
 * @param id of the account to change, which may be the administrator's own
 * @throws Refusal `not_found`, `unauthenticated`, `not_site_admin`
 */
export async function lockAdministrator(
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<UserRow> {
  const rows = await tx
    .select()
    .from(users)
    .where(inArray(users.id, [actor.id, id]))
    .orderBy(asc(users.id))
    .for("no key update");
  await lockSession(tx, actor);
  const administrator = rows.find((row) => row.id === actor.id);
  if (!administrator?.isActive) throw makeEndedSessionRefusal();
  if (!administrator.isSiteAdmin) {
    throw new Refusal("not_site_admin", "Only site administrators may do this.");
  }
  const user = rows.find((row) => row.id === id);
  if (!user) throw makeUnknownUserRefusal({ id });
  return user;
}
