/*
 * Hand-written SQL: each changes several tables and notifies in one statement, with CTEs that
 * write, `unnest` and `pg_notify`, which drizzle cannot say.
 */
import type { Fragment, SqlClient } from "../database/connect.ts";
import { notifyInStatement } from "../feed/statements.ts";

/** Writes who came online and went offline on an instance; those who appear offline are not announced. */
export async function writePeople(
  sql: SqlClient,
  instance: string,
  arrived: string[],
  left: string[],
): Promise<void> {
  await sql`
    with gone as (
      delete from presence where instance_id = ${instance} and user_id = any(${left}::uuid[])
    ), here as (
      insert into presence (user_id, instance_id)
      select user_id, ${instance}::uuid from unnest(${arrived}::uuid[]) as u(user_id)
      on conflict do nothing
    ), visit as (${recordVisits(sql, sql`select unnest(${left}::uuid[]) as user_id`)})
    select ${notifyInStatement(sql, "member_updated", sql`'user_id', id`)}
    from users where id = any(${[...arrived, ...left]}::uuid[]) and not appear_offline`;
}

/** A room that a person has open on an instance. */
export type OpenRoom = { roomId: string; userId: string };

/** Notes which rooms people have opened and closed on an instance. */
export async function writeOpenRooms(
  sql: SqlClient,
  instance: string,
  opened: OpenRoom[],
  closed: OpenRoom[],
): Promise<void> {
  await sql`
    with closed as (
      delete from open_rooms
      where instance_id = ${instance} and (room_id, user_id) in (
        select * from unnest(
          ${closed.map(({ roomId }) => roomId)}::uuid[], ${closed.map(({ userId }) => userId)}::uuid[]))
    )
    insert into open_rooms (room_id, user_id, instance_id)
    select room_id, user_id, ${instance}::uuid
    from unnest(
      ${opened.map(({ roomId }) => roomId)}::uuid[], ${opened.map(({ userId }) => userId)}::uuid[]
    ) as o(room_id, user_id)
    on conflict do nothing`;
}

/**
 * Renews the lease of an instance and removes those that are dead, with their rows.
 * @returns true if the instance had no row: a crash of PostgreSQL empties these tables
 */
export async function renewLease(
  sql: SqlClient,
  instance: string,
  leaseSeconds: number,
): Promise<boolean> {
  const [row] = await sql<{ is_new: boolean }[]>`
    with dead as (
      delete from instances
      where heartbeat_at < clock_timestamp() - ${leaseSeconds} * interval '1 second'
        and id <> ${instance}
      returning id
    ), gone as (
      delete from presence where instance_id in (select id from dead) returning user_id
    ), visit as (${recordVisits(sql, sql`select distinct user_id from gone`)}), closed as (
      delete from open_rooms where instance_id in (select id from dead)
    ), notified as (
      select ${notifyInStatement(sql, "member_updated", sql`'user_id', id`)}
      from users where id in (select user_id from gone) and not appear_offline
    ), beat as (
      insert into instances (id) values (${instance})
      on conflict (id) do update set heartbeat_at = clock_timestamp()
      returning xmax = 0 as is_new
    )
    select (select is_new from beat) as is_new, (select count(*) from notified) as notified`;
  return row?.is_new ?? false;
}

/** Removes an instance with its rows. */
export async function removeInstance(sql: SqlClient, instance: string): Promise<void> {
  await sql`
    with gone as (
      delete from presence where instance_id = ${instance} returning user_id
    ), visit as (${recordVisits(sql, sql`select user_id from gone`)}), closed as (
      delete from open_rooms where instance_id = ${instance}
    )
    delete from instances where id = ${instance}`;
}

/** Records, as a part of another statement, until when people were connected; in the order of ids. */
function recordVisits(sql: SqlClient, people: Fragment): Fragment {
  return sql`
    insert into visits (user_id, ended_at)
    select user_id, clock_timestamp() from (${people}) p order by user_id
    on conflict (user_id) do update set ended_at = excluded.ended_at`;
}
