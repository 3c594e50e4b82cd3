import type { SqlClient } from "../database/connect.ts";
import { coalesceReads } from "../database/coalesce-reads.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets.ts";
import type { Actor } from "../routing/actor.ts";
import type { Scope } from "../wire/scopes.ts";
import { readTokens, updateLastUsed } from "./statements.ts";

const log = getLogger("accounts");

/** RFC 6750, 2.1; the scheme is case-insensitive (RFC 9110, 11.1). */
const CREDENTIALS = /^bearer +(snug_[A-Za-z0-9_-]{43})$/i;

const readToken = coalesceReads(readTokens);

/**
 * Finds the bot of an `Authorization` header.
 * @returns null if the token is unknown, revoked or expired, or its bot is deactivated
 */
export async function authenticateBot(
  sql: SqlClient,
  authorization: string,
): Promise<Actor | null> {
  const token = CREDENTIALS.exec(authorization)?.[1];
  if (token === undefined) return null;
  const row = await readToken(sql, hashToken(token).toString("hex"));
  if (!row?.id) return null;
  if (!row.is_recorded) recordTokenUse(sql, [row.token_id]);
  return {
    id: row.id,
    username: row.username,
    isSiteAdmin: false,
    sessionId: null,
    isRestricted: false,
    token: { id: row.token_id, scopes: shareScopes(row.scopes), msLeft: row.ms_left },
    renewed: false,
  };
}

const shared = new Map<string, readonly Scope[]>();

/** Tokens with the same scopes share one list, since an open socket holds its token's list. */
function shareScopes(scopes: Scope[]): readonly Scope[] {
  const key = scopes.join();
  const same = shared.get(key) ?? scopes;
  // There are few combinations of scopes, and all come from the database.
  shared.set(key, same);
  return same;
}

/**
 * @param needed null if any token will do
 * @throws Refusal `insufficient_scope`
 */
export function refuseWithoutScope(scopes: readonly Scope[], needed: Scope | null): void {
  if (needed === null || scopes.includes(needed)) return;
  throw new Refusal("insufficient_scope", `The token does not allow ${needed}.`, { scope: needed });
}

/** Tokens whose use this process is recording. */
const recording = new Set<string>();

/** Records in the background that tokens are used, at most once a minute for each. */
export function recordTokenUse(sql: SqlClient, tokenIds: string[]): void {
  // Sorted, so that two processes lock the rows in the same order.
  const ids = tokenIds.filter((id) => !recording.has(id)).toSorted();
  if (ids.length === 0) return;
  for (const id of ids) recording.add(id);
  updateLastUsed(sql, ids)
    .catch((error) => log.warn("Could not record the use of a token.", { error: String(error) }))
    .finally(() => {
      for (const id of ids) recording.delete(id);
    });
}
