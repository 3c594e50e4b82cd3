import type { SqlClient } from "../database/connect.ts";
import { type VersionedHead, VersionedTexts } from "../database/versioned-texts.ts";
import { readUsers } from "./statements.ts";
import { userFromRow } from "./users.ts";

/** A user's JSON is about 200 characters. */
const MAX_USERS = 20_000;

const caches = new WeakMap<SqlClient, VersionedTexts>();

/** @returns the JSON of a `User` for each head of a list of people, in their order */
export function renderUsers(sql: SqlClient, heads: VersionedHead[]): Promise<string[]> {
  const cache = caches.get(sql) ?? new VersionedTexts(MAX_USERS);
  caches.set(sql, cache);
  return cache.render(heads, async (ids) => {
    const rows = await readUsers(sql, ids);
    return new Map(rows.map((row) => [row.id, JSON.stringify(userFromRow(row.id, row))]));
  });
}
