import type { SqlClient } from "../database/connect.ts";
import { coalesceReads } from "../database/coalesce-reads.ts";
import { Refusal } from "../platform/refusal.ts";
import { readCredentials } from "./statements.ts";

/** Reads which of these credentials, ids of sessions and API tokens, are valid. */
export async function readValidCredentials(sql: SqlClient, ids: string[]): Promise<Set<string>> {
  const rows = await readCredentials(sql, ids);
  return new Set(rows.map((row) => row.id));
}

const isValid = coalesceReads<string, boolean>(async (sql, ids) => {
  const valid = await readValidCredentials(sql, [...new Set(ids)]);
  return ids.map((id) => valid.has(id));
});

/**
 * Checks the credential of an open socket for each frame, since the signal that ends it can be lost.
 * @throws Refusal `unauthenticated` for a session, `invalid_token` for a bot's token
 */
export async function checkCredential(sql: SqlClient, id: string, isBot: boolean): Promise<void> {
  if (!(await isValid(sql, id))) throw makeEndedCredential(isBot);
}

/** The refusal of a request or frame whose session or token has ended. */
export function makeEndedCredential(isBot: boolean): Refusal {
  return isBot
    ? new Refusal("invalid_token", "The token is no longer valid.")
    : new Refusal("unauthenticated", "Your session has ended. Sign in again.");
}
