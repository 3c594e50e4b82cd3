import type { SqlClient } from "../database/connect.ts";

/** Hand-written SQL: a delete in a CTE. */

/**
 * Deletes previews that have expired and that no message shows, among the next ones by the primary
 * key; those that a message shows stay, however old. Pictures are deleted with the bytes that nothing
 * refers to. A preview that was fetched again meanwhile is fresh once its row can be locked.
 * @param after a key in hex
 * @returns the last key that was checked, in hex, or null when there are no more
 */
export async function prunePreviewsAfter(
  sql: SqlClient,
  after: string,
  limit: number,
): Promise<string | null> {
  const [row] = await sql<{ last: string | null }[]>`
    with checked as (
      select url_hash from link_previews where url_hash > decode(${after}, 'hex')
      order by url_hash limit ${limit}
    ), deleted as (
      delete from link_previews p using checked where p.url_hash = checked.url_hash
        and p.expires_at < statement_timestamp()
        and (p.claimed_until is null or p.claimed_until < statement_timestamp())
        and not exists (select from messages where preview_url = p.url)
    )
    select max(encode(url_hash, 'hex')) as last from checked`;
  return row?.last ?? null;
}
