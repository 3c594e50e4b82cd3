import { coalesceReads } from "../database/coalesce-reads.ts";
import type { SqlClient } from "../database/connect.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets/secrets.ts";
import type { Actor } from "../routing/actor.ts";
import type { Scope } from "../wire/scopes.ts";

const log = getLogger("accounts");

/** RFC 6750, 2.1; the scheme is case-insensitive (RFC 9110, 11.1). */
const CREDENTIALS = /^bearer +(snug_[A-Za-z0-9_-]{43})$/i;

/** `id` is null if no valid token of an active bot has the hash. */
type TokenRow = {
  id: string | null;
  username: string;
  token_id: string;
  scopes: Scope[];
  ms_left: number | null;
  /** Whether its use was recorded less than a minute ago. */
  is_recorded: boolean;
};

/**
 * Reads the tokens of many callers with one statement, since every request needs one.
 * @param hashes of the tokens, in hex
 * @returns a row for each hash, in their order
 */
async function readTokens(sql: SqlClient, hashes: string[]): Promise<TokenRow[]> {
  return sql<TokenRow[]>`
    select token.* from unnest(${hashes}::text[]) with ordinality as hashes(hash, n)
    left join lateral (
      select u.id, u.username, t.id as token_id, t.scopes,
        extract(epoch from t.expires_at - clock_timestamp())::float8 * 1000 as ms_left,
        coalesce(t.last_used_at > clock_timestamp() - interval '1 minute', false) as is_recorded
      from api_tokens t join users u on u.id = t.user_id
      where t.token_hash = decode(hashes.hash, 'hex') and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > clock_timestamp()) and u.is_active and u.is_bot
      limit 1
    ) token on true
    order by hashes.n`;
}

const readToken = coalesceReads(readTokens);

/**
 * Authenticates a bot by its `Authorization` header.
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
    token: { id: row.token_id, scopes: row.scopes, msLeft: row.ms_left },
    wasRenewed: false,
  };
}

/**
 * @param neededScope null if any token may do this
 * @throws Refusal `insufficient_scope`
 */
export function refuseWithoutScope(scopes: readonly Scope[], neededScope: Scope | null): void {
  if (neededScope === null || scopes.includes(neededScope)) return;
  throw new Refusal("insufficient_scope", `The token does not allow ${neededScope}.`, {
    scope: neededScope,
  });
}

const idsInProgress = new Set<string>();

export function recordTokenUse(sql: SqlClient, tokenIds: string[]): void {
  // Sorted, so that two processes lock the rows in the same order.
  const ids = tokenIds.filter((id) => !idsInProgress.has(id)).toSorted();
  if (ids.length === 0) return;
  for (const id of ids) idsInProgress.add(id);
  updateLastUsed(sql, ids)
    .catch((error) => log.warn("Could not record the use of API tokens.", { error: String(error) }))
    .finally(() => {
      for (const id of ids) idsInProgress.delete(id);
    });
}

/** Writes at most once a minute for each token. */
export async function updateLastUsed(sql: SqlClient, tokenIds: string[]): Promise<void> {
  await sql`
    with owners as materialized (
      -- Every transaction locks accounts before tokens, so that two cannot deadlock.
      select id from users
      where id in (
        select user_id from api_tokens where id = any(${tokenIds}::uuid[])
          and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)
      )
      order by id for no key update
    ), used as (
      update api_tokens set last_used_at = clock_timestamp()
      where id = any(${tokenIds}::uuid[]) and user_id in (select id from owners)
        and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)
      returning user_id
    )
    update users set last_seen_at = clock_timestamp() where id in (select user_id from used)`;
}
