/**
 * Hand-written SQL: a page starts at the reader's saved messages and memberships, with one of three
 * orders.
 */
import type { SqlClient } from "../database/connect.ts";
import type { TimedPlace } from "../platform/timed-cursor.ts";
import type { KeptRoom } from "../wire/keeping.ts";
import type { SavedQuery } from "../wire/queries.ts";

export type SavedRow = {
  message_id: string;
  room: KeptRoom;
  note: string | null;
  saved_at: Date;
  remind_at: Date | null;
  reminded_at: Date | null;
  done_at: Date | null;
  /** What the list is ordered by. */
  listed_at: Date;
};

/**
 * SQL: those of someone's saved messages that they can read at this moment. A deleted room has no
 * members, and nobody has saved a deleted root.
 */
const readable = (sql: SqlClient, userId: string) => sql`
  saved_messages s
  join memberships ms on ms.room_id = s.room_id and ms.user_id = s.user_id
  join rooms r on r.id = s.room_id
  where s.user_id = ${userId}`;

const columns = (sql: SqlClient) => sql`
  s.message_id, s.note, s.saved_at, s.remind_at, s.reminded_at, s.done_at,
  json_build_object('id', r.id, 'kind', r.kind, 'name', r.name) as room`;

const IS_DUE = "s.done_at is null and s.remind_at <= clock_timestamp()";

const ORDERS: Record<SavedQuery["filter"], { at: string; is: string }> = {
  open: { at: "s.saved_at", is: "s.done_at is null" },
  due: { at: "s.remind_at", is: IS_DUE },
  done: { at: "s.done_at", is: "s.done_at is not null" },
};

/** The newest first, after a place. */
export function readSavedPage(
  sql: SqlClient,
  userId: string,
  {
    filter,
    after,
    limit,
  }: Pick<SavedQuery, "filter"> & { after: TimedPlace | null; limit: number },
) {
  const order = ORDERS[filter];
  const at = sql.unsafe(order.at);
  const [time, id] = [after?.at ?? null, after?.id ?? null];
  return sql<SavedRow[]>`
    select ${columns(sql)}, ${at} as listed_at from ${readable(sql, userId)}
      and ${sql.unsafe(order.is)}
      and (${time}::timestamptz is null or (${at}, s.message_id) < (${time}::timestamptz, ${id}::uuid))
    order by ${at} desc, s.message_id desc limit ${limit}`;
}

/** One saved message; none where it is not saved or cannot be read. */
export function readSavedRow(sql: SqlClient, userId: string, messageId: string) {
  return sql<SavedRow[]>`
    select ${columns(sql)}, s.saved_at as listed_at from ${readable(sql, userId)}
      and s.message_id = ${messageId}`;
}

/** The ids of open saved messages, the newest first, in one text, and how many of them are due. */
export async function readOpenSaved(sql: SqlClient, userId: string) {
  const [row] = await sql<{ ids: string | null; due_count: number }[]>`
    select string_agg(s.message_id::text, ' ' order by s.saved_at desc, s.message_id desc) as ids,
      count(*) filter (where ${sql.unsafe(IS_DUE)})::int as due_count
    from saved_messages s
    join memberships ms on ms.room_id = s.room_id and ms.user_id = s.user_id
    where s.user_id = ${userId} and s.done_at is null`;
  return { ids: row?.ids?.split(" ") ?? [], due_count: row?.due_count ?? 0 };
}

/**
 * Notes since when saved messages cannot be read by their owners, and deletes those that could not
 * be read for this many days.
 */
export async function sweepHiddenSaved(sql: SqlClient, days: number): Promise<void> {
  await sql`
    with seen as materialized (
      select s.user_id, s.message_id, s.hidden_since, ms.user_id is null as is_hidden
      from saved_messages s
      left join memberships ms on ms.room_id = s.room_id and ms.user_id = s.user_id
    ), changed as (
      update saved_messages s set hidden_since = case when seen.is_hidden then clock_timestamp() end
      from seen where s.user_id = seen.user_id and s.message_id = seen.message_id
        and seen.is_hidden <> (seen.hidden_since is not null)
    )
    delete from saved_messages s using seen
    where s.user_id = seen.user_id and s.message_id = seen.message_id and seen.is_hidden
      and seen.hidden_since < clock_timestamp() - ${days} * interval '1 day'`;
}
