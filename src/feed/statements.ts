/** Hand-written SQL: `pg_notify`, on its own or as a part of another statement. */
import type { Fragment, SqlClient } from "../database/connect.ts";
import { SIGNAL_CHANNEL } from "./channels.ts";
import type { Signal } from "./signals.ts";

/** A signal to oneself, by which an instance finds out whether its LISTEN connection is alive. */
export type Ping = { kind: "ping"; instance: string; ping: number };

/** Notifies all instances of a ping, which its own waits for. */
export async function notifyPing(sql: SqlClient, ping: Ping): Promise<void> {
  await sql`select pg_notify(${SIGNAL_CHANNEL}, ${JSON.stringify(ping)})`;
}

/**
 * `pg_notify` of a signal as a part of another statement, which computes its fields. They are ids and
 * times, so that its size does not depend on data.
 * @param fields names and values, as `json_build_object` takes them
 */
export function notifyInStatement(
  sql: SqlClient,
  kind: Signal["kind"],
  fields: Fragment,
): Fragment {
  return sql`pg_notify(${SIGNAL_CHANNEL},
    json_build_object('kind', ${kind}::text, ${fields})::text)`;
}
