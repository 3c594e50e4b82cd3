import type { SqlClient } from "../database/connect.ts";
import { type PackedRows, splitPackedRows } from "../database/packed-rows.ts";
import type { VersionedHead } from "../database/versioned-texts.ts";
import { IS_ONLINE } from "../presence/read.ts";
import type { Scope } from "../wire/scopes.ts";
import type { UserFields } from "./users.ts";

/**
 * Hand-written, because every request and frame checks a credential (`bench/storm.ts`): many are read
 * at once with unnest and lateral, and last-seen times are written in one statement with a CTE. Lists of
 * people are read as ids and versions of rows, packed into one text (`bench/routes.ts`).
 */

/** In the order of the hashes; `id` is null where no live session of an active user matches. */
type SessionRow = {
  id: string | null;
  username: string;
  is_site_admin: boolean;
  session_id: string;
  last_seen_at: Date;
  is_restricted: boolean;
};

/** @param hashes of the cookies' tokens, in hex */
export async function readSessions(sql: SqlClient, hashes: string[]): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select found.* from unnest(${hashes}::text[]) with ordinality as asked(hash, n)
    left join lateral (
      select u.id, u.username, u.is_site_admin, s.id as session_id, s.last_seen_at,
        s.is_restricted
      from sessions s join users u on u.id = s.user_id
      where s.token_hash = decode(asked.hash, 'hex')
        and s.expires_at > clock_timestamp() and u.is_active
      limit 1
    ) found on true
    order by asked.n`;
}

/**
 * Extends a session, unless its provider limits it, and updates when its user was last seen unless they
 * appear offline.
 * @param address the network of the caller
 */
export async function extendSession(
  sql: SqlClient,
  id: string,
  days: number,
  address: string | null,
): Promise<void> {
  await sql`
    with extended as (
      update sessions set last_seen_at = clock_timestamp(),
        expires_at = least(ends_at, clock_timestamp() + ${days} * interval '1 day'),
        address = coalesce(${address}, address)
      where id = ${id} returning user_id
    )
    update users set last_seen_at = clock_timestamp()
    where id = (select user_id from extended) and not appear_offline`;
}

/** In the order of the hashes; `id` is null where no valid token of an active bot matches. */
export type TokenRow = {
  id: string | null;
  username: string;
  token_id: string;
  scopes: Scope[];
  ms_left: number | null;
  /** Its use was recorded less than a minute ago. */
  is_recorded: boolean;
};

/** @param hashes of the tokens, in hex */
export async function readTokens(sql: SqlClient, hashes: string[]): Promise<TokenRow[]> {
  return sql<TokenRow[]>`
    select found.* from unnest(${hashes}::text[]) with ordinality as asked(hash, n)
    left join lateral (
      select u.id, u.username, t.id as token_id, t.scopes,
        extract(epoch from t.expires_at - clock_timestamp())::float8 * 1000 as ms_left,
        coalesce(t.last_used_at > clock_timestamp() - interval '1 minute', false) as is_recorded
      from api_tokens t join users u on u.id = t.user_id
      where t.token_hash = decode(asked.hash, 'hex') and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > clock_timestamp()) and u.is_active and u.is_bot
      limit 1
    ) found on true
    order by asked.n`;
}

/** Records that tokens are used now, at most once a minute for each. */
export async function updateLastUsed(sql: SqlClient, tokenIds: string[]): Promise<void> {
  await sql`
    with owners as materialized (
      -- An account is locked before its tokens, as wherever both are.
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

/**
 * Reads which of these credentials are valid: not ended, revoked or expired, and of an active user.
 * @param ids of sessions and API tokens
 */
export async function readCredentials(sql: SqlClient, ids: string[]): Promise<{ id: string }[]> {
  return sql<{ id: string }[]>`
    select s.id from sessions s join users u on u.id = s.user_id
    where s.id = any(${ids}::uuid[]) and s.expires_at > clock_timestamp() and u.is_active
      and not s.is_restricted
    union all
    select t.id from api_tokens t join users u on u.id = t.user_id
    where t.id = any(${ids}::uuid[]) and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp()) and u.is_active`;
}

/** A user of a list. */
export type UserHead = VersionedHead & { username: string };
type Range = { after: string; limit: number };

/** Heads of packed rows of id, version and username. */
export function toUserHeads([row]: PackedRows[]): UserHead[] {
  return splitPackedRows(row?.packed).map(([id = "", version = "", username = ""]) => ({
    id,
    version,
    username,
  }));
}

/** Active users whose username, or a word of whose display name, starts with a pattern; by username. */
export async function findUserHeads(
  sql: SqlClient,
  { after, limit, prefix }: Range & { prefix: string },
): Promise<UserHead[]> {
  return toUserHeads(
    await sql<PackedRows[]>`
      select string_agg(concat_ws(' ', id, version, username), E'\n') as packed from (
        select id, xmin as version, username from users
        where is_active and username > ${after}
          and case when ${prefix} = '%' then true else username ilike ${prefix}
            or display_name ilike ${prefix} or display_name ilike ${`% ${prefix}`} end
        order by username limit ${limit}
      ) page`,
  );
}

/** Active users who are online, by username. */
export async function readOnlineHeads(
  sql: SqlClient,
  { after, limit }: Range,
): Promise<UserHead[]> {
  return toUserHeads(
    await sql<PackedRows[]>`
      select string_agg(concat_ws(' ', id, version, username), E'\n' order by username) as packed from (
        select id, xmin as version, username from users
        where is_active and username > ${after} and id = any(array(select user_id from presence))
          and ${sql.unsafe(IS_ONLINE)}
        order by username limit ${limit}
      ) page`,
  );
}

/** Users by id, in no order; those that do not exist are left out. */
export function readUsers(sql: SqlClient, ids: string[]) {
  return sql<(UserFields & { id: string })[]>`
    select id, username, display_name, avatar_version, is_bot, is_active
    from users where id = any(${ids}::uuid[])`;
}
