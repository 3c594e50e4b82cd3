import { LRUCache } from "lru-cache";
import type { SqlClient } from "../database/connect.ts";
import { readUserVersions, type UserHead } from "./statements.ts";
import { userFromRow } from "./users.ts";

/** A user's JSON is about 200 characters. */
const MAX_USERS = 20_000;

/** JSON of a `User`, valid for one version of the user's row. */
type Entry = { version: string; text: string };

const caches = new WeakMap<SqlClient, LRUCache<string, Entry>>();

/**
 * Renders users of a list, from a cache whose entries are valid for the versions of their rows that the
 * list has just read; the others are read with one statement.
 * @returns the JSON of a `User` for each head, in their order
 */
export async function renderUsers(sql: SqlClient, heads: UserHead[]): Promise<string[]> {
  const cache = caches.get(sql) ?? new LRUCache<string, Entry>({ max: MAX_USERS });
  caches.set(sql, cache);
  const texts = heads.map(({ id, version }) => {
    const entry = cache.get(id);
    return entry?.version === version ? entry.text : "";
  });
  const missing = heads.filter((_, index) => texts[index] === "").map(({ id }) => id);
  if (missing.length === 0) return texts;
  const loaded = new Map<string, string>();
  for (const row of await readUserVersions(sql, missing)) {
    const text = JSON.stringify(userFromRow(row.id, row));
    cache.set(row.id, { version: row.version, text });
    loaded.set(row.id, text);
  }
  return texts.map((text, index) => text || (loaded.get(heads[index]?.id ?? "") ?? ""));
}
