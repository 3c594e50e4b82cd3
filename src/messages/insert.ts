import { makeEndedCredentialRefusal } from "../authentication/credentials.ts";
import type { SqlClient } from "../database/connect.ts";
import { isUnavailable, isUniqueViolation } from "../database/errors.ts";
import { LOCKED } from "../platform/concurrency/batch.ts";
import { Refusal } from "../platform/refusal.ts";
import { refusalFor } from "../rooms/access.ts";
import { makeArchivedRefusal, makeBroadcastRefusal, makeClosedRefusal } from "../rooms/refusals.ts";
import { type RefusedMessage, runInsert, type WriteRow } from "./insert-statements.ts";
import type { NewMessage } from "./new-message.ts";
import {
  makeThreadsOff,
  makeUnknownQuote,
  makeUnknownThread,
  makeUnknownUpload,
  makeUnknownWebhook,
  makeUsedClientId,
} from "./refusals.ts";
import { type MessageRow, readMessages } from "./read.ts";

/** A message after the write: inserted now, or found by its `client_id`. */
type Written = { row: MessageRow; isNew: boolean };

const MAX_ATTEMPTS = 5;

/**
 * Inserts many messages with one statement (`insert-statements.ts`), which also checks permissions. A
 * refused message takes no number and does not affect the others. Messages of rooms that another
 * transaction has locked are `LOCKED`, unless the statement waits.
 * @param waits whether to wait for rooms that another transaction has locked
 * @returns the inserted message or the refusal of each
 */
export async function insertMessages(
  sql: SqlClient,
  instance: string,
  messages: NewMessage[],
  waits: boolean,
): Promise<(Written | Error)[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeOnce(sql, instance, messages, waits);
    } catch (error) {
      // A message with the same client_id was committed while this statement waited for the room's
      // lock. The next attempt finds and returns it.
      if (isUniqueViolation(error) && attempt < MAX_ATTEMPTS) continue;
      if (isUnavailable(error) || messages.length === 1) throw error;
      return writeHalves(sql, instance, messages, waits);
    }
  }
}

/**
 * Isolates a message that the database rejects by writing halves, so that the others are still written
 * in few statements.
 */
async function writeHalves(
  sql: SqlClient,
  instance: string,
  messages: NewMessage[],
  waits: boolean,
) {
  const middle = Math.ceil(messages.length / 2);
  const results: (Written | Error)[] = [];
  for (const half of [messages.slice(0, middle), messages.slice(middle)]) {
    const insertion = insertMessages(sql, instance, half, waits);
    results.push(...(await insertion.catch((error) => half.map(() => error as Error))));
  }
  return results;
}

/** A message that repeats the `client_id` of an earlier one in the batch gets the same result. */
async function writeOnce(sql: SqlClient, instance: string, messages: NewMessage[], waits: boolean) {
  const unique: NewMessage[] = [];
  const places = new Map<string, number>();
  const placeOf = messages.map((message) => {
    const { id, author_id, client_id } = message;
    // As in the unique index, which does not include the room.
    const key = client_id === null ? id : `${author_id} ${client_id}`;
    const place = places.get(key) ?? unique.push(message) - 1;
    places.set(key, place);
    return place;
  });
  const write = (on: SqlClient) => runInsert(on, instance, unique);
  // A statement's snapshot is taken when it starts. Therefore a separate statement waits for the locks,
  // and the next one sees accounts and sessions that ended in the meantime.
  const rows = waits
    ? await sql.begin(async (tx) => {
        await lockRooms(tx as unknown as SqlClient, unique);
        return write(tx as unknown as SqlClient);
      })
    : await write(sql);
  const earlierIds = rows.flatMap((row) => row.refused?.repeated_id ?? []);
  const earlier = new Map((await readMessages(sql, earlierIds)).map((row) => [row.id, row]));
  const results = rows.map((row, i) => resultOf(unique[i] as NewMessage, row, earlier));
  return messages.map((message, i) => {
    const place = placeOf[i] as number;
    const first = unique[place] as NewMessage;
    const result = results[place] as Written | Error;
    if (first.room_id !== message.room_id) return makeUsedClientId();
    return first === message || result instanceof Error ? result : { ...result, isNew: false };
  });
}

function resultOf(
  message: NewMessage,
  { refused, ...columns }: WriteRow,
  earlier: Map<string, MessageRow>,
): Written | Error {
  if (!refused) return { row: Object.assign(message, columns) as MessageRow, isNew: true };
  if (refused.reason !== "repeated") return toRefusal(message, refused);
  const first = earlier.get(refused.repeated_id ?? "");
  // A message in another room is not returned even to its author, who may no longer be a member there.
  return first?.room_id === message.room_id ? { row: first, isNew: false } : makeUsedClientId();
}

/** Converts the statement's reason to a refusal. */
function toRefusal(message: NewMessage, refusal: RefusedMessage): Error {
  const { kind, privacy } = refusal;
  switch (refusal.reason) {
    case "room_locked":
      return LOCKED;
    case "credential_ended":
      return message.via_webhook_id === null
        ? makeEndedCredentialRefusal(message.token_id !== null)
        : makeUnknownWebhook();
    case "not_a_member":
      return refusalFor(kind && privacy && { kind, privacy }, null, "member") as Refusal;
    case "repeated":
      return makeUsedClientId();
    case "read_only":
      return kind === "direct" ? makeClosedRefusal() : makeArchivedRefusal("post");
    case "deactivated":
      return new Refusal("unauthenticated", "Your account is deactivated.");
    case "broadcast":
      return makeBroadcastRefusal(kind);
    case "unknown_thread":
      return makeUnknownThread();
    case "threads_off":
      return makeThreadsOff();
    case "unknown_quote":
      return makeUnknownQuote();
    case "unknown_upload":
      return makeUnknownUpload();
  }
}

/** Locks messages' rooms in the same order as the insert, but waits for those that are locked. */
async function lockRooms(sql: SqlClient, messages: NewMessage[]): Promise<void> {
  const roomIds = [...new Set(messages.map((message) => message.room_id))];
  await sql`
    select from rooms where id = any(${roomIds}::uuid[]) order by id for no key update`;
}
