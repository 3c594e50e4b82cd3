import type { SqlClient } from "../database/connect.ts";
import { isUnavailable, isUniqueViolation } from "../database/errors.ts";
import { makeArchivedRefusal, refusalFor } from "../rooms/access.ts";
import { HELD } from "../platform/batch.ts";
import { Refusal } from "../platform/refusal.ts";
import { unknownUpload } from "./content.ts";
import { findMessages, type MessageRow } from "./read.ts";
import { type Outcome, writeDrafts } from "./statement.ts";
import type { Draft } from "./statement-parts.ts";

/** What became of a draft: written now, or found to have been written before. */
export type Posted = { row: MessageRow; isNew: boolean };

/**
 * Writes many messages with one statement: locks their rooms, checks the authors' memberships as
 * they are under that lock, takes the rooms' next numbers, writes messages and log, and tells the
 * other instances. A draft that is refused takes no number and harms no other.
 * @param waits for rooms that another transaction has locked; without, their drafts are `HELD`
 * @returns for each draft the message, or the refusal
 */
export async function insertMessages(
  sql: SqlClient,
  instance: string,
  drafts: Draft[],
  waits = true,
): Promise<(Posted | Error)[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insertOnce(sql, instance, drafts, waits);
    } catch (error) {
      // A message with the same client_id was committed while this statement waited for its room:
      // the next attempt sees it, and answers with it.
      if (isUniqueViolation(error) && attempt < 5) continue;
      if (isUnavailable(error) || drafts.length === 1) throw error;
      return insertHalves(sql, instance, drafts, waits);
    }
  }
}

/**
 * One draft that the database refuses must not take the others with it. It is found by halving: the
 * others are still written many at a time.
 */
async function insertHalves(sql: SqlClient, instance: string, drafts: Draft[], waits: boolean) {
  const middle = Math.ceil(drafts.length / 2);
  const results: (Posted | Error)[] = [];
  for (const half of [drafts.slice(0, middle), drafts.slice(middle)]) {
    const written = insertMessages(sql, instance, half, waits);
    results.push(...(await written.catch((error) => half.map(() => error as Error))));
  }
  return results;
}

/**
 * A draft with the `client_id` of an earlier one of the batch gets that one's result. By author and
 * `client_id` alone, as the unique index has it: the room does not matter.
 */
function withoutRepeats(drafts: Draft[]): { firsts: Draft[]; placeOf: number[] } {
  const places = new Map<string, number>();
  const firsts: Draft[] = [];
  const placeOf = drafts.map((draft) => {
    const { id, authorId, clientId } = draft;
    const key = clientId === null ? id : `${authorId} ${clientId}`;
    const place = places.get(key) ?? firsts.push(draft) - 1;
    places.set(key, place);
    return place;
  });
  return { firsts, placeOf };
}

async function insertOnce(sql: SqlClient, instance: string, drafts: Draft[], waits: boolean) {
  const { firsts, placeOf } = withoutRepeats(drafts);
  const outcomes = await writeDrafts(sql, instance, firsts, waits);
  const repeated = outcomes.flatMap((outcome) => outcome.repeated_id ?? []);
  const found = new Map((await findMessages(sql, repeated)).map((row) => [row.id, row]));
  const results = outcomes.map((outcome, i) => resultOf(firsts[i] as Draft, outcome, found));
  return placeOf.map((place, i) => {
    const result = results[place] as Posted | Error;
    const first = firsts[place] as Draft;
    const draft = drafts[i] as Draft;
    if (first.roomId !== draft.roomId) return usedClientId();
    return first === draft || result instanceof Error ? result : { ...result, isNew: false };
  });
}

function usedClientId(): Refusal {
  return new Refusal("client_id_used", "This client_id was used before. Take a new one.");
}

function resultOf(draft: Draft, outcome: Outcome, found: Map<string, MessageRow>): Posted | Error {
  const { seq, repeated_id, privacy, is_member, is_archived } = outcome;
  if (outcome.is_held) return HELD;
  if (seq !== null) {
    const {
      created_at,
      author_id,
      username,
      display_name,
      avatar_version,
      is_bot,
      is_active,
      has_embeds,
    } = outcome;
    const row: MessageRow = {
      id: draft.id,
      room_id: draft.roomId,
      seq,
      content: draft.content,
      via_name: draft.via?.name ?? null,
      via_icon_emoji: draft.via?.iconEmoji ?? null,
      client_id: draft.clientId,
      created_at,
      edited_at: null,
      has_embeds,
      author_id,
      username,
      display_name,
      avatar_version,
      is_bot,
      is_active,
    };
    return { row, isNew: true };
  }
  const refusal = refusalFor(
    privacy && { privacy },
    is_member || draft.via ? "member" : null,
    "member",
  );
  if (refusal) return refusal;
  const first = repeated_id === null ? undefined : found.get(repeated_id);
  // The first message is nobody's business in another room, not even its author's, who may have
  // been removed from where it is.
  if (first && first.room_id !== draft.roomId) return usedClientId();
  if (first) return { row: first, isNew: false };
  if (is_archived) {
    return makeArchivedRefusal("post");
  }
  if (repeated_id !== null) return usedClientId();
  if (!outcome.is_active) return new Refusal("unauthenticated", "Your account is deactivated.");
  // Nothing else keeps a draft from being written.
  return unknownUpload();
}
