import type { SqlClient } from "../database/connect.ts";
import { gather } from "../database/gather.ts";
import { Refusal } from "../platform/refusal.ts";

/**
 * Reads which of these credentials, ids of sessions and of API tokens, are valid: neither ended,
 * revoked nor expired, and of an active user.
 */
export async function readValidCredentials(sql: SqlClient, ids: string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select s.id from sessions s join users u on u.id = s.user_id
    where s.id = any(${ids}::uuid[]) and s.expires_at > clock_timestamp() and u.is_active
    union all
    select t.id from api_tokens t join users u on u.id = t.user_id
    where t.id = any(${ids}::uuid[]) and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp()) and u.is_active`;
  return new Set(rows.map((row) => row.id));
}

const isValid = gather<string, boolean>(async (sql, ids) => {
  const valid = await readValidCredentials(sql, [...new Set(ids)]);
  return ids.map((id) => valid.has(id));
});

/**
 * Checks the credential of an open socket, as a request's is checked: signals that end it can be lost.
 * @throws Refusal `unauthenticated` for a session, `invalid_token` for a bot's token
 */
export async function checkCredential(sql: SqlClient, id: string, isBot: boolean): Promise<void> {
  if (await isValid(sql, id)) return;
  throw isBot
    ? new Refusal("invalid_token", "The token is no longer valid.")
    : new Refusal("unauthenticated", "Your session has ended. Sign in again.");
}
