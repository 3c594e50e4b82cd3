import { sql } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import { holdPictures, removeUnused } from "./pictures.ts";
import type { PictureStore } from "./store.ts";

const ROWS_AT_ONCE = 200;

/**
 * Deletes what has expired and no message names any more, with the pictures that nothing else
 * shows. What a message names stays, however old: it is shown.
 */
export async function prunePreviews(
  { db }: Database,
  store: PictureStore,
  signal: AbortSignal,
): Promise<void> {
  for (let after: string | null = ""; after !== null && !signal.aborted;) {
    const from: string = after;
    after = await db.transaction(async (tx) => {
      const rows = await tx.execute<{ hash: string; picture: string | null; is_unused: boolean }>(
        sql`select encode(url_hash, 'hex') as hash, encode(image_sha256, 'hex') as picture,
            ${unused} as is_unused
          from link_previews where url_hash > decode(${from}, 'hex')
          order by url_hash limit ${ROWS_AT_ONCE}`,
      );
      const old = rows.filter((row) => row.is_unused);
      const pictures = [...new Set(old.flatMap((row) => row.picture ?? []))];
      await holdPictures(tx, pictures);
      // Asked again: one may have been fetched anew meanwhile.
      await tx.execute(sql`delete from link_previews
        where url_hash = any(select decode(hash, 'hex')
          from unnest(${`{${old.map((row) => row.hash).join(",")}}`}::text[]) as hash)
          and ${unused}`);
      await removeUnused(tx, store, pictures);
      return rows.at(-1)?.hash ?? null;
    });
  }
}

const unused = sql`(expires_at < statement_timestamp()
  and (claimed_until is null or claimed_until < statement_timestamp())
  and not exists (select from messages where preview_url = link_previews.url))`;
