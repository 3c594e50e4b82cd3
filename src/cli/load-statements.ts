/*
 * Hand-written SQL: these ask PostgreSQL about itself, and count by the time that is in a message's
 * id.
 */
import type { SqlClient } from "../database/connect.ts";
import { LEASE_SECONDS } from "../presence/presence.ts";

export type Load = {
  /** Messages of the last 60 minutes. */
  messages: number;
  /** In the busiest of these minutes. */
  busiest_minute: number;
  people_connected: number;
  instances: number;
  /** Connections of all clients of the server, and how many it admits. */
  connections: number;
  max_connections: number;
  database_bytes: number;
  /** All messages, as PostgreSQL estimates them. */
  all_messages: number;
  uploads: number;
  uploads_bytes: number;
  /** How full the queue of notifications is that listeners have not read, from 0 to 1. */
  notification_queue: number;
};

/**
 * Reads how busy the service is from the database.
 * @param since the smallest id of a message of the last hour
 */
export async function readLoad(sql: SqlClient, since: string): Promise<Load> {
  const [row] = await sql<[Load]>`
    with minutes as (
      select count(*)::int as count from messages
      where id >= ${since}::uuid group by date_trunc('minute', created_at)
    ), alive as (
      select id from instances where heartbeat_at > clock_timestamp() - ${LEASE_SECONDS} * interval '1 second'
    )
    select coalesce((select sum(count) from minutes), 0)::int as messages,
      coalesce((select max(count) from minutes), 0)::int as busiest_minute,
      (select count(distinct user_id)::int from presence
        where instance_id in (select id from alive)) as people_connected,
      (select count(*)::int from alive) as instances,
      (select sum(numbackends)::int from pg_stat_database) as connections,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max_connections,
      pg_database_size(current_database())::float8 as database_bytes,
      (select greatest(reltuples, 0)::float8 from pg_class
        where oid = 'messages'::regclass) as all_messages,
      count(*)::int as uploads, coalesce(sum(size_bytes), 0)::float8 as uploads_bytes,
      pg_notification_queue_usage() as notification_queue
    from blobs`;
  return row;
}

/** Transactions of this database since its statistics began. */
export async function countCommits(sql: SqlClient): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select xact_commit::float8 as count from pg_stat_database where datname = current_database()`;
  return row?.count ?? 0;
}
