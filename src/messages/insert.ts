import type { HandSql } from "../database/connect.ts";
import { isUnavailable, isUniqueViolation } from "../database/errors.ts";
import { FEED_CHANNEL } from "../feed/channels.ts";
import { refusalFor } from "../rooms/access.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Privacy, Role } from "../wire/models.ts";
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

type Outcome = Omit<MessageRow, "id" | "room_id" | "content" | "client_id" | "edited_at"> & {
  repeated_id: string | null;
  privacy: Privacy | null;
  is_archived: boolean | null;
  role: Role | null;
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

async function insertOnce(sql: HandSql, instance: string, drafts: Draft[]) {
  const outcomes = await sql<Outcome[]>`
    with input as materialized (
      select * from unnest(
        ${drafts.map((d) => d.id)}::uuid[], ${drafts.map((d) => d.roomId)}::uuid[],
        ${drafts.map((d) => d.authorId)}::uuid[], ${drafts.map((d) => d.content)}::text[],
        ${drafts.map((d) => d.clientId)}::uuid[]
      ) with ordinality as i(id, room_id, author_id, content, client_id, n)
    ), room as materialized (
      -- In the order of ids, so that two instances cannot wait for each other.
      select id, privacy, is_archived, last_seq from rooms
      where id in (select room_id from input) order by id for no key update
    ), member as materialized (
      -- Locked, because this statement's snapshot may be older than the wait for the room: a
      -- membership that was removed meanwhile is then found gone.
      select m.room_id, m.user_id, m.role from room
      join memberships m on m.room_id = room.id
      where (m.room_id, m.user_id) in (select room_id, author_id from input)
      for key share of m
    ), repeated as materialized (
      select distinct on (n) n, id from (
        select i.n, m.id, 1 as choice from input i
        join messages m on m.author_id = i.author_id and m.client_id = i.client_id
        union all
        -- Twice in one batch: the first is written, the others find it when it is.
        select later.n, first.id, 2 + first.n from input later
        join input first on first.room_id = later.room_id and first.author_id = later.author_id
          and first.client_id = later.client_id and first.n < later.n
      ) as candidate order by n, choice
    ), accepted as materialized (
      select i.*, room.last_seq + row_number() over (partition by i.room_id order by i.n) as seq
      from input i
      join room on room.id = i.room_id and not room.is_archived
      join member on member.room_id = i.room_id and member.user_id = i.author_id
      join users u on u.id = i.author_id and u.is_active
      where not exists (select from repeated where repeated.n = i.n)
    ), written as (
      insert into messages (id, room_id, seq, author_id, content, client_id, created_at)
      select id, room_id, seq, author_id, content, client_id, clock_timestamp()
      from accepted order by n
      returning id, room_id, seq, created_at
    ), logged as (
      insert into room_log (room_id, seq, type, message_id)
      select room_id, seq, 'message', id from accepted order by n
    ), counted as (
      update rooms set last_seq = w.seq, last_message_at = w.at
      from (select room_id, max(seq) as seq, max(created_at) as at from written group by room_id) w
      where rooms.id = w.room_id
    ), grown as (
      select room_id, max(seq) as seq, (row_number() over ()) / ${HINTS_A_PAYLOAD}::int as part
      from accepted group by room_id
    ), told as (
      select pg_notify(${FEED_CHANNEL}, ${instance}::text || ' ' ||
        string_agg(room_id || ':' || seq, ' ')) from grown group by part
    )
    select w.seq, w.created_at, r.id as repeated_id, room.privacy, room.is_archived, member.role,
      i.author_id, u.username, u.display_name, u.is_bot, coalesce(u.is_active, false) as is_active,
      (select count(*) from told) as told
    from input i
    left join written w on w.id = i.id
    left join repeated r on r.n = i.n
    left join room on room.id = i.room_id
    left join member on member.room_id = i.room_id and member.user_id = i.author_id
    left join users u on u.id = i.author_id
    order by i.n`;
  const repeated = outcomes.flatMap((outcome) => outcome.repeated_id ?? []);
  const found = new Map((await findMessages(sql, repeated)).map((row) => [row.id, row]));
  return outcomes.map((outcome, i) => resultOf(drafts[i] as Draft, outcome, found));
}

function resultOf(draft: Draft, outcome: Outcome, found: Map<string, MessageRow>): Posted | Error {
  const { seq, repeated_id, privacy, role, is_archived } = outcome;
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
  const refusal = refusalFor(privacy && { privacy }, role, "member");
  if (refusal) return refusal;
  const first = repeated_id === null ? undefined : found.get(repeated_id);
  if (first) return { row: first, isNew: false };
  if (is_archived) {
    return new Refusal("room_archived", "This room is archived. Nothing can be posted.");
  }
  if (repeated_id !== null) return noSuchMessage();
  return new Refusal("unauthenticated", "Your account is deactivated.");
}
