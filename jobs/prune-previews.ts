import type { SqlClient } from "../src/database/connect.ts";
import type { Handling } from "../src/jobs-queue/kinds.ts";

const ROWS_AT_ONCE = 1_000;

/**
 * Deletes previews that have expired and that no message names: what one names is shown, however
 * old. Their pictures go with the bytes that nothing names.
 *
 * Some rows at a time, by the primary key, so that no statement lasts long; what was fetched anew
 * meanwhile is found fresh once its row can be locked.
 */
export function prunePreviews(sql: SqlClient): Handling<"prune_previews"> {
  return {
    // It may go on where it was cut off.
    timeoutSeconds: 3_600,
    async run(_, { signal }) {
      for (let after: string | null = ""; after !== null && !signal.aborted;) {
        after = await pruneSome(sql, after);
      }
    },
  };
}

/** @returns the last key that it looked at, in hex, or null when there are no more */
async function pruneSome(sql: SqlClient, after: string): Promise<string | null> {
  const [row] = await sql<{ last: string | null }[]>`
    with looked as (
      select url_hash from link_previews where url_hash > decode(${after}, 'hex')
      order by url_hash limit ${ROWS_AT_ONCE}
    ), deleted as (
      delete from link_previews p using looked where p.url_hash = looked.url_hash
        and p.expires_at < statement_timestamp()
        and (p.claimed_until is null or p.claimed_until < statement_timestamp())
        and not exists (select from messages where preview_url = p.url)
    )
    select max(encode(url_hash, 'hex')) as last from looked`;
  return row?.last ?? null;
}
