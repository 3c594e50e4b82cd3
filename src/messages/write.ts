import type { SqlClient } from "../database/connect.ts";
import { isUnavailable, isUniqueViolation } from "../database/errors.ts";
import { makeEndedCredential } from "../accounts/credentials.ts";
import { HELD } from "../platform/batch.ts";
import { Refusal } from "../platform/refusal.ts";
import { refusalFor } from "../rooms/access.ts";
import {
  makeArchivedRefusal,
  makeBroadcastRefusal,
  makeClosedRefusal,
} from "../rooms/write-refusals.ts";
import type { Draft } from "./draft.ts";
import {
  makeThreadsOff,
  makeUnknownQuote,
  makeUnknownThread,
  makeUnknownUpload,
  makeUsedClientId,
} from "./refusals.ts";
import type { EmbedRow } from "./embed-statements.ts";
import { type MessageRow, readMessages } from "./statements.ts";
import { forgetReplies, howOften, noteReplies, readContinued } from "./threads/continuation.ts";
import { type RootRow, replyEmbeds } from "./threads/embeds.ts";
import { insertMessages, lockRooms, type WriteRow } from "./write-statements.ts";

/** A draft's message: written now, or found to have been written before. */
export type Written = {
  row: MessageRow;
  isNew: boolean;
  /** All that a reply shows which embeds nothing else, so that nothing is read for it. */
  embeds?: EmbedRow;
};

const MAX_ATTEMPTS = 5;

type WriteOptions = {
  /** For rooms that another transaction has locked; otherwise their drafts are not written. */
  waits: boolean;
  /** Other instances are notified of short plain messages as a whole, not by their numbers alone. */
  shares: boolean;
};

/**
 * Writes many messages with one statement: locks their rooms, checks the authors' memberships as
 * they are under that lock, takes the rooms' next numbers, writes messages and log, and notifies the
 * other instances. A draft that is refused takes no number and harms no other.
 * Drafts of rooms that another transaction has locked are `HELD`, unless it waits for them.
 * @returns for each draft the message, or the refusal
 */
export async function writeDrafts(
  sql: SqlClient,
  instance: string,
  drafts: Draft[],
  options: WriteOptions,
): Promise<(Written | Error)[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeOnce(sql, instance, drafts, options);
    } catch (error) {
      // A message with the same client_id was committed while this statement waited for its room:
      // the next attempt sees it, and answers with it.
      if (isUniqueViolation(error) && attempt < MAX_ATTEMPTS) continue;
      if (isUnavailable(error) || drafts.length === 1) throw error;
      return writeHalves(sql, instance, drafts, options);
    }
  }
}

/**
 * Finds a draft that the database refuses by halving, so that it does not take the others with it:
 * they are still written many at a time.
 */
async function writeHalves(
  sql: SqlClient,
  instance: string,
  drafts: Draft[],
  options: WriteOptions,
) {
  const middle = Math.ceil(drafts.length / 2);
  const results: (Written | Error)[] = [];
  for (const half of [drafts.slice(0, middle), drafts.slice(middle)]) {
    const written = writeDrafts(sql, instance, half, options);
    results.push(...(await written.catch((error) => half.map(() => error as Error))));
  }
  return results;
}

/** A draft that repeats the `client_id` of an earlier one of the batch gets that one's result. */
async function writeOnce(
  sql: SqlClient,
  instance: string,
  drafts: Draft[],
  { waits, shares }: WriteOptions,
) {
  const unique: Draft[] = [];
  const places = new Map<string, number>();
  const placeOf = drafts.map((draft) => {
    const key = repeatKeyOf(draft);
    const place = places.get(key) ?? unique.push(draft) - 1;
    places.set(key, place);
    return place;
  });
  const write = async (on: SqlClient) => {
    const full = () => insertMessages(on, instance, unique, { shares });
    const continues = howOften(unique);
    if (!continues) return full();
    const rows = await insertMessages(on, instance, unique, { shares, continues });
    if (!rows.some((row) => row.refused?.begins)) return rows;
    forgetReplies(unique, rows);
    return full();
  };
  // A statement sees what was committed before it began. So the wait is in one of its own, and an
  // account or a session that ends meanwhile has ended for the next.
  const rows = waits
    ? await sql.begin(async (tx) => {
        await lockRooms(tx as unknown as SqlClient, unique);
        return write(tx as unknown as SqlClient);
      })
    : await write(sql);
  const repeated = rows.flatMap((row) => row.refused?.repeated_id ?? []);
  const earlier = new Map((await readMessages(sql, repeated)).map((row) => [row.id, row]));
  noteReplies(unique, rows);
  const roots = rows[0]?.thread_texts
    ? readContinued(rows)
    : new Map((rows[0]?.threads ?? []).map((root) => [root.id, root]));
  const results = rows.map((row, i) => resultOf(unique[i] as Draft, row, earlier, roots));
  return drafts.map((draft, i) => {
    const place = placeOf[i] as number;
    const first = unique[place] as Draft;
    const result = results[place] as Written | Error;
    if (first.room_id !== draft.room_id) return makeUsedClientId();
    return first === draft || result instanceof Error ? result : { ...result, isNew: false };
  });
}

/** The author and `client_id`, as the unique index has them: the room does not matter. */
function repeatKeyOf({ id, author_id, client_id }: Draft): string {
  return client_id === null ? id : `${author_id} ${client_id}`;
}

function resultOf(
  draft: Draft,
  row: WriteRow,
  earlier: Map<string, MessageRow>,
  roots: Map<string, RootRow>,
): Written | Error {
  const { refused } = row;
  if (!refused) {
    const { threads: _, thread_texts: __, embeds_more, thread_id = null, ...columns } = row;
    const written = { row: Object.assign(draft, columns) as MessageRow, isNew: true };
    const root = thread_id !== null && embeds_more === false ? roots.get(thread_id) : undefined;
    return root ? { ...written, embeds: replyEmbeds(written.row, root) } : written;
  }
  const { kind, privacy, is_member, is_read_only, is_valid, repeated_id } = refused;
  if (refused.is_locked) return HELD;
  if (!is_valid) return makeEndedCredential(draft.token_id !== null);
  const refusal = refusalFor(
    kind && privacy && { kind, privacy },
    is_member ? "member" : null,
    "member",
  );
  if (refusal) return refusal;
  const first = repeated_id === null ? undefined : earlier.get(repeated_id);
  if (first?.room_id === draft.room_id) return { row: first, isNew: false };
  // A message in another room is not shown even to its author, who may have been removed from there.
  if (first) return makeUsedClientId();
  if (is_read_only) return kind === "direct" ? makeClosedRefusal() : makeArchivedRefusal("post");
  if (repeated_id !== null) return makeUsedClientId();
  if (!row.is_active) return new Refusal("unauthenticated", "Your account is deactivated.");
  if (refused.may_broadcast === false) return makeBroadcastRefusal(kind);
  if (refused.thread === "unknown") return makeUnknownThread();
  if (refused.thread === "off") return makeThreadsOff();
  if (refused.is_quote_known === false) return makeUnknownQuote();
  // Nothing else keeps a draft from being written.
  return makeUnknownUpload();
}
