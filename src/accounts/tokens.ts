import type { SqlClient } from "../database/connect.ts";
import { gather } from "../database/gather.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets.ts";
import type { Scope } from "../wire/scopes.ts";
import type { Actor } from "../routing/actor.ts";

const log = getLogger("accounts");

/** RFC 6750, 2.1; the scheme in any case (RFC 9110, 11.1). */
const CREDENTIALS = /^bearer +(snug_[A-Za-z0-9_-]{43})$/i;

type TokenRow = {
  /** Null where there is no such token. */
  id: string | null;
  username: string;
  token_id: string;
  scopes: Scope[];
  ms_left: number | null;
  is_noted: boolean;
};

const readToken = gather<string, TokenRow>(
  (sql, hashes) => sql<TokenRow[]>`
    select found.* from unnest(${hashes}::text[]) with ordinality as asked(hash, n)
    left join lateral (
      select u.id, u.username, t.id as token_id, t.scopes,
        extract(epoch from t.expires_at - clock_timestamp())::float8 * 1000 as ms_left,
        coalesce(t.last_used_at > clock_timestamp() - interval '1 minute', false) as is_noted
      from api_tokens t join users u on u.id = t.user_id
      where t.token_hash = decode(asked.hash, 'hex') and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > clock_timestamp()) and u.is_active and u.is_bot
      limit 1
    ) found on true
    order by asked.n`,
);

/**
 * @param authorization the header's value
 * @returns the active bot of a token that stands, or null
 */
export async function findBot(sql: SqlClient, authorization: string): Promise<Actor | null> {
  const token = CREDENTIALS.exec(authorization)?.[1];
  if (token === undefined) return null;
  const row = await readToken(sql, hashToken(token).toString("hex"));
  if (!row?.id) return null;
  if (!row.is_noted) noteUse(sql, [row.token_id]);
  return {
    id: row.id,
    username: row.username,
    isSiteAdmin: false,
    sessionId: null,
    token: { id: row.token_id, scopes: row.scopes, msLeft: row.ms_left },
    renewed: false,
  };
}

/**
 * @param needed null where any token will do
 * @throws Refusal `insufficient_scope`
 */
export function refuseWithoutScope(scopes: readonly Scope[], needed: Scope | null): void {
  if (needed === null || scopes.includes(needed)) return;
  throw new Refusal("insufficient_scope", `The token does not allow ${needed}.`, { scope: needed });
}

/** Tokens whose use is being written down by this process. */
const noting = new Set<string>();

/** Writes down that tokens are used, at most once a minute for each; nobody waits for it. */
export function noteUse(sql: SqlClient, tokenIds: string[]): void {
  const ids = tokenIds.filter((id) => !noting.has(id)).toSorted();
  if (ids.length === 0) return;
  for (const id of ids) noting.add(id);
  sql`
    with used as (
      update api_tokens set last_used_at = clock_timestamp()
      where id = any(${ids}::uuid[])
        and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)
      returning user_id
    )
    update users set last_seen_at = clock_timestamp() where id in (select user_id from used)`
    .catch((error) => log.warn("The use of a token was not noted.", { error: String(error) }))
    .finally(() => {
      for (const id of ids) noting.delete(id);
    });
}
