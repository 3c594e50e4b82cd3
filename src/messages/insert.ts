import type { HandSql } from "../database/connect.ts";
import { isUnavailable, isUniqueViolation } from "../database/errors.ts";
import { FEED_CHANNEL } from "../feed/channels.ts";
import { refusalFor } from "../rooms/access.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Privacy } from "../wire/models.ts";
import { noSuchMessage } from "./history.ts";
import { findMessages, type MessageRow } from "./read.ts";

/** A message that was checked but not written. */
export type Draft = {
  id: string;
  roomId: string;
  authorId: string;
  content: string;
  clientId: string | null;
};

/** What became of a draft: written now, or found to have been written before. */
export type Posted = { row: MessageRow; isNew: boolean };

type Outcome = Omit<
  MessageRow,
  "id" | "room_id" | "content" | "client_id" | "edited_at" | "seq"
> & {
  repeated_id: string | null;
  privacy: Privacy | null;
  is_archived: boolean | null;
  is_member: boolean;
  /** Null for a draft that was not written. */
  seq: number | null;
};

/** PostgreSQL refuses longer payloads; a room and its number take about 57 bytes. */
const HINTS_A_PAYLOAD = 120;

/**
 * Writes many messages with one statement: locks their rooms, checks the authors' memberships as
 * they are under that lock, takes the rooms' next numbers, writes messages and log, and tells the
 * other instances. A draft that is refused takes no number and harms no other.
 * @returns for each draft the message, or the refusal
 */
export async function insertMessages(
  sql: HandSql,
  instance: string,
  drafts: Draft[],
): Promise<(Posted | Error)[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insertOnce(sql, instance, drafts);
    } catch (error) {
      // A message with the same client_id was committed while this statement waited for its room:
      // the next attempt sees it, and answers with it.
      if (isUniqueViolation(error) && attempt < 5) continue;
      if (isUnavailable(error) || drafts.length === 1) throw error;
      return insertEach(sql, instance, drafts);
    }
  }
}

/** One draft that the database will not have must not take the others with it. */
async function insertEach(sql: HandSql, instance: string, drafts: Draft[]) {
  const results: (Posted | Error)[] = [];
  for (const draft of drafts) {
    const [result] = await insertMessages(sql, instance, [draft]).catch((error) => [
      error as Error,
    ]);
    results.push(result ?? new Error("insertMessages: no result"));
  }
  return results;
}

/** A draft whose `client_id` stands earlier in the batch waits for that one's result. */
function withoutRepeats(drafts: Draft[]): { firsts: Draft[]; placeOf: number[] } {
  const places = new Map<string, number>();
  const firsts: Draft[] = [];
  const placeOf = drafts.map((draft) => {
    const { id, roomId, authorId, clientId } = draft;
    const key = clientId === null ? id : `${roomId} ${authorId} ${clientId}`;
    const place = places.get(key) ?? firsts.push(draft) - 1;
    places.set(key, place);
    return place;
  });
  return { firsts, placeOf };
}

async function insertOnce(sql: HandSql, instance: string, drafts: Draft[]) {
  const { firsts, placeOf } = withoutRepeats(drafts);
  const outcomes = await write(sql, instance, firsts);
  const repeated = outcomes.flatMap((outcome) => outcome.repeated_id ?? []);
  const found = new Map((await findMessages(sql, repeated)).map((row) => [row.id, row]));
  const results = outcomes.map((outcome, i) => resultOf(firsts[i] as Draft, outcome, found));
  return placeOf.map((place, i) => {
    const result = results[place] as Posted | Error;
    const isFirst = firsts[place] === drafts[i];
    return isFirst || result instanceof Error ? result : { ...result, isNew: false };
  });
}

/**
 * The statement. It is planned once, without knowing how many drafts come, so nothing in it joins
 * two lists of them by comparing each with each: rights are looked up in a hash, users and earlier
 * messages by their index, and numbers are counted in one pass.
 */
function write(sql: HandSql, instance: string, drafts: Draft[]): Promise<Outcome[]> {
  return sql<Outcome[]>`
    with input as materialized (
      select * from unnest(
        ${drafts.map((d) => d.id)}::uuid[], ${drafts.map((d) => d.roomId)}::uuid[],
        ${drafts.map((d) => d.authorId)}::uuid[], ${drafts.map((d) => d.content)}::text[],
        ${drafts.map((d) => d.clientId)}::uuid[]
      ) with ordinality as i(id, room_id, author_id, content, client_id, n)
    ), room as materialized (
      -- In the order of ids, so that two instances cannot wait for each other.
      select id, privacy, is_archived, last_seq from rooms
      where id = any(${[...new Set(drafts.map((d) => d.roomId))]}::uuid[])
      order by id for no key update
    ), member as materialized (
      -- Locked, because this statement's snapshot may be older than the wait for the room: a
      -- membership that was removed meanwhile is then found gone. Only once the rooms are locked.
      select m.room_id, m.user_id from (
        select distinct room_id, author_id from input
        where (room_id in (select id from room)) is true
      ) p
      join memberships m on m.room_id = p.room_id and m.user_id = p.author_id
      for key share of m
    ), judged as materialized (
      select i.*, room.privacy, room.is_archived, room.last_seq, repeated.id as repeated_id,
        (i.room_id, i.author_id) in (select room_id, user_id from member) as is_member,
        u.username, u.display_name, u.is_bot, coalesce(u.is_active, false) as is_active
      from input i
      left join room on room.id = i.room_id
      left join lateral (select * from users where id = i.author_id limit 1) u on true
      left join lateral (
        select id from messages
        where author_id = i.author_id and client_id = i.client_id limit 1
      ) repeated on true
    ), placed as materialized (
      select *, clock_timestamp()::timestamptz(3) as created_at, case when is_accepted then last_seq +
        count(*) filter (where is_accepted) over (partition by room_id order by n) end as seq
      from (
        select *, is_member and is_active and not is_archived and repeated_id is null as is_accepted
        from judged
      ) j
    ), written as (
      insert into messages (id, room_id, seq, author_id, content, client_id, created_at)
      select id, room_id, seq, author_id, content, client_id, created_at
      from placed where seq is not null
    ), logged as (
      insert into room_log (room_id, seq, type, message_id)
      select room_id, seq, 'message', id from placed where seq is not null
    ), grown as materialized (
      select room_id, max(seq) as seq, max(created_at) as at,
        (row_number() over ()) / ${HINTS_A_PAYLOAD}::int as part
      from placed where seq is not null group by room_id
    ), counted as (
      update rooms set last_seq = g.seq, last_message_at = g.at from grown g where rooms.id = g.room_id
    ), told as (
      select pg_notify(${FEED_CHANNEL}, ${instance}::text || ' ' ||
        string_agg(room_id || ':' || seq, ' ')) from grown group by part
    )
    select seq, created_at, repeated_id, privacy, is_archived, is_member, author_id, username,
      display_name, is_bot, is_active, (select count(*) from told) as told
    from placed order by n`;
}

function resultOf(draft: Draft, outcome: Outcome, found: Map<string, MessageRow>): Posted | Error {
  const { seq, repeated_id, privacy, is_member, is_archived } = outcome;
  if (seq !== null) {
    const { created_at, author_id, username, display_name, is_bot, is_active } = outcome;
    const row: MessageRow = {
      id: draft.id,
      room_id: draft.roomId,
      seq,
      content: draft.content,
      client_id: draft.clientId,
      created_at,
      edited_at: null,
      author_id,
      username,
      display_name,
      is_bot,
      is_active,
    };
    return { row, isNew: true };
  }
  const refusal = refusalFor(privacy && { privacy }, is_member ? "member" : null, "member");
  if (refusal) return refusal;
  const first = repeated_id === null ? undefined : found.get(repeated_id);
  if (first) return { row: first, isNew: false };
  if (is_archived) {
    return new Refusal("room_archived", "This room is archived. Nothing can be posted.");
  }
  if (repeated_id !== null) return noSuchMessage();
  return new Refusal("unauthenticated", "Your account is deactivated.");
}
