import type { Database, SqlClient } from "../../database/connect.ts";
import type { WebhookEvent } from "../../wire/outgoing-webhooks.ts";
import { type Body, type Entry, makeBodies } from "./bodies.ts";

const ENTRIES_AT_ONCE = 100;
/**
 * While so many deliveries of a webhook wait for a retry, no more are made: what happens meanwhile is
 * in the room's log.
 */
export const MAX_PENDING = 1_000;

type Place = { room_id: string; after_seq: number; events: WebhookEvent[] };

/**
 * Makes deliveries of what the room's log holds after a webhook's place, and moves the place: both
 * or neither, so that nothing is left out and nothing is there twice, whenever a process dies.
 * @returns false if there was nothing to read, the webhook is paused or gone, or too much of it is pending
 */
export async function readOn(database: Database, hookId: string): Promise<boolean> {
  const { sql } = database;
  const [place] = await sql<Place[]>`
    select room_id, after_seq, events from outgoing_webhooks where id = ${hookId} and is_active
      and not exists (select from webhook_deliveries
        where hook_id = ${hookId} and state = 'pending' offset ${MAX_PENDING - 1})`;
  if (!place) return false;
  const entries = await sql<Entry[]>`
    select seq, type, created_at from room_log
    where room_id = ${place.room_id} and seq > ${place.after_seq}
    order by seq limit ${ENTRIES_AT_ONCE}`;
  const last = entries.at(-1);
  if (!last) return false;
  const bodies = await makeBodies(database, place.room_id, entries, place.events);
  return keep(sql, hookId, place.after_seq, last.seq, bodies);
}

/** @returns false if another has moved the place meanwhile, and nothing is kept */
async function keep(
  sql: SqlClient,
  hookId: string,
  from: number,
  to: number,
  bodies: Body[],
): Promise<boolean> {
  // The time is cut, since the column would round: what is due now is due to the next statement.
  const rows = await sql`
    with moved as (
      update outgoing_webhooks set after_seq = ${to}
      where id = ${hookId} and after_seq = ${from} and is_active returning id
    ), made as (
      insert into webhook_deliveries (id, hook_id, event, seq, body, next_at)
      select d.id, moved.id, d.event, d.seq, d.body,
        date_trunc('milliseconds', statement_timestamp())
      from moved, unnest(
        ${bodies.map(() => Bun.randomUUIDv7())}::uuid[], ${bodies.map((b) => b.event)}::text[],
        ${bodies.map((b) => b.seq)}::bigint[], ${bodies.map((b) => b.body)}::text[]
      ) as d(id, event, seq, body)
    )
    select from moved`;
  return rows.length > 0;
}
